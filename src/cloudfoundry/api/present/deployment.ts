import type { DeploymentStanding } from '../../decide/deployment-status.ts';
import { processGuid } from '../../names.ts';
import type { CfDeployment } from '../../resources/cf-deployment.ts';
import { link, relation } from './links.ts';
import { presentIdentity, presentMetadata } from './metadata.ts';

/** A deployment as the CF API shows it. */
export function presentDeployment(record: CfDeployment, standing: DeploymentStanding, base: string): object {
  const { spec } = record;
  const guid = record.metadata.name ?? '';
  const self = `/v3/deployments/${guid}`;
  const steps = spec.steps?.map(({ instanceWeight }) => ({ instance_weight: instanceWeight }));
  // After the last step all instances follow: that is no step of its own.
  const total = steps?.length || 1;
  return {
    ...presentIdentity(record),
    status: {
      value: standing.value,
      reason: standing.reason,
      details: {
        last_successful_healthcheck: standing.lastSuccessfulHealthcheck ?? null,
        last_status_change: standing.lastStatusChange ?? record.metadata.creationTimestamp ?? null,
        ...(standing.error !== undefined && { error: standing.error }),
      },
      ...(spec.strategy === 'canary' && {
        canary: { steps: { current: Math.min(Math.max(1, standing.step ?? spec.step), total), total } },
      }),
    },
    strategy: spec.strategy,
    options: {
      max_in_flight: spec.maxInFlight,
      ...(spec.strategy === 'canary' && steps && { canary: { steps } }),
    },
    droplet: { guid: spec.dropletRef.name },
    previous_droplet: { guid: spec.previousDropletRef?.name ?? null },
    new_processes: [{ guid: processGuid(spec.appRef.name, 'web'), type: 'web' }],
    revision: null,
    relationships: { app: relation(spec.appRef.name) },
    metadata: presentMetadata(record),
    links: {
      self: link(base, self),
      app: link(base, `/v3/apps/${spec.appRef.name}`),
      ...(standing.value === 'ACTIVE' && { cancel: link(base, `${self}/actions/cancel`, 'POST') }),
      ...(standing.reason === 'PAUSED' && { continue: link(base, `${self}/actions/continue`, 'POST') }),
    },
  };
}
