import type { CfApp } from '../../resources/cf-app.ts';
import type { CfBuild } from '../../resources/cf-build.ts';
import type { CfDomain } from '../../resources/cf-domain.ts';
import type { CfProcess } from '../../resources/cf-process.ts';
import type { CfRoute } from '../../resources/cf-route.ts';
import type { CloudFoundrySettings } from '../../settings.ts';
import { wantedInstances } from '../../wanted-instances.ts';
import { routeUrl } from './route-text.ts';

/** What an app is made of. */
export interface AppParts {
  readonly app: CfApp;
  readonly processes: readonly CfProcess[];
  readonly routes: readonly CfRoute[];
  readonly domains: readonly CfDomain[];
  readonly env: Readonly<Record<string, string>>;
  /** The build of its current droplet. */
  readonly build?: CfBuild | undefined;
}

/** Keys of labels and annotations that are the platform's. */
const platforms = /^([^/]*\.)?(cloudfoundry\.org|cutover\.dev|kubernetes\.io)\//;

/** An app as one would write it in a manifest: applied again, it changes nothing. */
export function exportedApp(
  parts: AppParts,
  defaults: CloudFoundrySettings['process'],
): Readonly<Record<string, unknown>> {
  const { app, processes, routes, env, build } = parts;
  const { displayName, lifecycle } = app.spec;
  const image = build?.status?.droplet?.registry?.image;
  const { buildpacks = [], stack } = lifecycle.data ?? {};
  const docker = lifecycle.type === 'docker';
  const addresses = routes.flatMap((route) => addressOf(route, parts.domains) ?? []).toSorted();
  const labels = own(app.metadata.labels);
  const annotations = own(app.metadata.annotations);
  return {
    name: displayName,
    ...(docker && image && { docker: { image } }),
    ...(!docker && buildpacks.length > 0 && { buildpacks }),
    ...(!docker && stack && { stack }),
    ...(Object.keys(env).length > 0 && { env }),
    ...(addresses.length > 0 ? { routes: addresses.map((route) => ({ route })) } : { 'no-route': true }),
    ...((labels || annotations) && { metadata: { ...(labels && { labels }), ...(annotations && { annotations }) } }),
    processes: processes
      .toSorted((a, b) => order(a.spec.processType, b.spec.processType))
      .map((process) => exportedProcess(process, defaults)),
  };
}

function exportedProcess(process: CfProcess, defaults: CloudFoundrySettings['process']): object {
  const { processType, command, memoryMB, diskQuotaMB, healthCheck } = process.spec;
  const { httpEndpoint, invocationTimeoutSeconds, timeoutSeconds } = healthCheck?.data ?? {};
  const type = healthCheck?.type || (processType === 'web' ? 'port' : 'process');
  return {
    type: processType,
    ...(command && { command }),
    instances: wantedInstances(process.spec),
    memory: `${memoryMB ?? defaults.memoryMB}M`,
    disk_quota: `${diskQuotaMB ?? defaults.diskQuotaMB}M`,
    'health-check-type': type,
    ...(type === 'http' && { 'health-check-http-endpoint': httpEndpoint || '/' }),
    ...(invocationTimeoutSeconds && { 'health-check-invocation-timeout': invocationTimeoutSeconds }),
    timeout: timeoutSeconds || defaults.healthTimeoutSeconds,
  };
}

function addressOf({ spec }: CfRoute, domains: readonly CfDomain[]): string | undefined {
  const domain = domains.find(({ metadata }) => metadata.name === spec.domainRef.name)?.spec.name;
  return domain === undefined ? undefined : routeUrl({ host: spec.host ?? '', domain, path: spec.path ?? '' });
}

function own(entries: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> | undefined {
  const found = Object.entries(entries).filter(([key]) => !platforms.test(key));
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** `web` first, the others by name. */
function order(a: string, b: string): number {
  if (a === 'web' || b === 'web') return a === b ? 0 : a === 'web' ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
