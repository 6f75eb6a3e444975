import type { CfProcess } from '../../resources/cf-process.ts';
import type { CloudFoundrySettings } from '../../settings.ts';
import { wantedInstances } from '../../wanted-instances.ts';
import { link, relation } from './links.ts';
import { presentIdentity, presentMetadata } from './metadata.ts';

type Defaults = CloudFoundrySettings['process'];

/** A process as the CF API shows it. */
export function presentProcess(process: CfProcess, base: string, defaults: Defaults): object {
  const { spec } = process;
  const { name: guid = '', namespace: space = '' } = process.metadata;
  const app = spec.appRef.name ?? '';
  const self = `/v3/processes/${guid}`;
  return {
    ...presentIdentity(process),
    type: spec.processType,
    command: spec.command || spec.detectedCommand || '',
    instances: wantedInstances(process.spec),
    memory_in_mb: spec.memoryMB ?? defaults.memoryMB,
    disk_in_mb: spec.diskQuotaMB ?? defaults.diskQuotaMB,
    log_rate_limit_in_bytes_per_second: -1,
    health_check: presentHealthCheck(process, defaults),
    relationships: { app: relation(app) },
    metadata: presentMetadata(process),
    links: {
      self: link(base, self),
      scale: link(base, `${self}/actions/scale`, 'POST'),
      app: link(base, `/v3/apps/${app}`),
      space: link(base, `/v3/spaces/${space}`),
      stats: link(base, `${self}/stats`),
    },
  };
}

/** As one of many: commands may hold secrets, and are shown only to whoever asks for that process. */
export function presentListedProcess(process: CfProcess, base: string, defaults: Defaults): object {
  return { ...presentProcess(process, base, defaults), command: '[PRIVATE DATA HIDDEN IN LISTS]' };
}

function presentHealthCheck({ spec }: CfProcess, defaults: Defaults): object {
  const { type, data = {} } = spec.healthCheck ?? {};
  const shown = type || (spec.processType === 'web' ? 'port' : 'process');
  const timeout = data.timeoutSeconds || defaults.healthTimeoutSeconds;
  if (shown === 'process') return { type: shown, data: { timeout } };
  const invocation_timeout = data.invocationTimeoutSeconds || null;
  return {
    type: shown,
    data: { timeout, invocation_timeout, ...(shown === 'http' && { endpoint: data.httpEndpoint || '/' }) },
  };
}
