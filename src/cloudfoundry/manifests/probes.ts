import type { CfProcessSpec } from '../resources/cf-process.ts';

type Probe = Readonly<Record<string, unknown>>;

export interface Probes {
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

const startupPeriod = 2;
const livenessPeriod = 30;
const readinessPeriod = 5;
/** One answer that is late says nothing yet: an instance leaves the routes after three. */
const readinessFailures = 3;

/**
 * How an instance is found to have started, to be alive, and to be ready for requests. The published probes know only the
 * first two; without the third a roll would go on before an instance answers.
 */
export function probesOf(
  { processType, healthCheck }: Pick<CfProcessSpec, 'processType' | 'healthCheck'>,
  port: number,
  usualTimeout: number,
): Probes {
  const type = healthCheck?.type || (processType === 'web' ? 'port' : 'process');
  if (type === 'process') return {};
  const { httpEndpoint, invocationTimeoutSeconds = 0, timeoutSeconds } = healthCheck?.data ?? {};
  const asks = type === 'http' ? { httpGet: { path: httpEndpoint || '/', port } } : { tcpSocket: { port } };
  const probe = { ...asks, ...(invocationTimeoutSeconds > 0 && { timeoutSeconds: invocationTimeoutSeconds }) };
  const allowed = timeoutSeconds || usualTimeout;
  return {
    startupProbe: {
      ...probe,
      periodSeconds: startupPeriod,
      failureThreshold: Math.max(1, Math.ceil(allowed / startupPeriod)),
    },
    livenessProbe: { ...probe, periodSeconds: livenessPeriod, failureThreshold: 1 },
    readinessProbe: { ...probe, periodSeconds: readinessPeriod, failureThreshold: readinessFailures },
  };
}
