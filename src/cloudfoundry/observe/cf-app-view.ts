import { annotations as control, switchedOn } from '../../control/annotations.ts';
import type { Glance, View } from '../../control/controller.ts';
import type { Sealed } from '../../control/sealed.ts';
import type { Client } from '../../kube/client.ts';
import type { KubeObject } from '../../kube/object.ts';
import { isReady } from '../decide/conclude.ts';
import { keptRevisions } from '../kept-revisions.ts';
import { annotations, finalizers, labels } from '../keys.ts';
import type { AppWorkload } from '../resources/app-workload.ts';
import type { CfApp } from '../resources/cf-app.ts';
import type { CfBuild } from '../resources/cf-build.ts';
import type { CfDeployment } from '../resources/cf-deployment.ts';
import type { CfProcess } from '../resources/cf-process.ts';
import type { CfRoute } from '../resources/cf-route.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import { type AppSecrets, appSecrets } from './app-secrets.ts';
import type { CloudFoundryCaches } from './caches.ts';
import type { ListedOfApp } from './listed-of-app.ts';
import { type EnvRead, envToRead, readEnv } from './revision-env.ts';
import { wellFormedApp } from './well-formed-app.ts';

/** What is known when an app is decided on. */
export interface CfAppView extends View {
  readonly app: CfApp;
  /** The build that the app names as its droplet. */
  readonly droplet?: AppDroplet;
  /** All that name the app, by name. */
  readonly processes: readonly CfProcess[];
  readonly workloads: readonly AppWorkloadGlimpse[];
  /** Those with a destination in the app, the oldest first. */
  readonly routes: readonly CfRoute[];
  /** Only of an app that goes: what names it and belongs to nobody yet, for its own controller has not come to it. */
  readonly unowned?: readonly KubeObject[];
  /** As far as it is known. */
  readonly place: { readonly spaceName?: string; readonly orgGuid?: string; readonly orgName?: string };
  readonly deployments: readonly DeploymentGlimpse[];
  /** Metadata of the Secrets that say which app they belong to. Nobody tells when they change. */
  readonly secrets: readonly KubeObject[];
  /** Why nothing is known of them. */
  readonly barred?: string;
  /** Only while a revision is being prepared. */
  readonly env?: EnvRead;
  readonly settings: Pick<CloudFoundrySettings, 'version' | 'apiUrl' | 'process'>;
}

/** A build that is to be an app's droplet. */
export interface AppDroplet {
  /** The app that it was made for. */
  readonly appGuid?: string;
  readonly state?: string;
  /** Its processes; absent while there is no droplet, and of another app's build. */
  readonly processTypes?: readonly { readonly type: string; readonly command?: string }[];
}

/** As much of a workload as concerns its app. */
export interface AppWorkloadGlimpse {
  readonly name: string;
  readonly processGuid: string;
  /** The revision that it is to run. */
  readonly version: string;
  /** The revision that all of its instances run. */
  readonly observedAppRev?: string;
  /** Revisions that it may return to. */
  readonly kept: readonly string[];
  /** Nothing of it is being replaced: all instances are of its revision, and those of others have gone. */
  readonly settled: boolean;
  /** Why new instances do not come up. */
  readonly error?: string;
}

/** As much of a deployment as concerns its app. */
export interface DeploymentGlimpse {
  readonly name: string;
  readonly final: boolean;
  /** The step at which a canary waits for somebody to continue or cancel it. */
  readonly waitsAt?: number;
}

export interface CfAppSources {
  readonly caches: Pick<
    CloudFoundryCaches,
    | 'builds'
    | 'packages'
    | 'processes'
    | 'tasks'
    | 'workloads'
    | 'routes'
    | 'namespaces'
    | 'spaces'
    | 'orgs'
    | 'deployments'
  >;
  readonly client: Client;
  readonly listed: ListedOfApp;
  readonly settings: CloudFoundrySettings;
  readonly seal: (value: string) => Sealed;
}

/**
 * Looks at an app. Its Secrets are read from the server; what they hold, only while a revision is being prepared; and all that
 * names it, when it is about to go.
 */
export async function cfAppView(key: string, glance: Glance<CfApp>, sources: CfAppSources): Promise<CfAppView> {
  const app = wellFormedApp(glance.object);
  const found = await secretsOf(app, sources, glance.signal);
  const secrets = found.is === 'read' ? found.secrets.toSorted(byName) : [];
  const staged = found.is === 'read' && dropletOf(app, sources.caches)?.processTypes !== undefined;
  const reading = staged ? envToRead(app, secrets) : undefined;
  const env = reading && (await readEnv(app, reading, sources, glance.signal));
  const tied = leaves(app) ? await ties(app, sources.listed, glance.signal) : undefined;
  return {
    ...seen(key, { ...glance, object: app }, sources),
    ...tied,
    secrets,
    ...(found.is === 'barred' && { barred: found.message }),
    ...(env && { env }),
  };
}

/** Those of an app that goes need nobody's care: they go with it. */
async function secretsOf(app: CfApp, { client }: CfAppSources, signal: AbortSignal): Promise<AppSecrets> {
  return app.metadata.deletionTimestamp ? { is: 'read', secrets: [] } : appSecrets(app, client, signal);
}

/** Whether nothing but us keeps the app from going. */
function leaves({ metadata }: CfApp): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers?.includes(finalizers.app) ?? false);
}

/** What must not be overlooked when an app goes: a route that no cache shows would lead to it for ever, and a package stay for ever. */
async function ties(
  app: CfApp,
  { routes, parts }: ListedOfApp,
  signal: AbortSignal,
): Promise<Pick<CfAppView, 'routes' | 'unowned'>> {
  const [leading, ...naming] = await Promise.all([
    routes.of(app, signal),
    ...parts.map(async (kind) => (await kind.of(app, signal)).toSorted(byName)),
  ]);
  return { routes: leading.toSorted(byAge), unowned: naming.flat().filter(isUnowned) };
}

function isUnowned(object: KubeObject): boolean {
  const { deletionTimestamp, ownerReferences } = object.metadata;
  if (deletionTimestamp || switchedOn(object, control.paused)) return false;
  return !ownerReferences?.some(({ controller }) => controller);
}

function seen(key: string, glance: Glance<CfApp>, sources: CfAppSources): Omit<CfAppView, 'secrets'> {
  const { object: app, now, outcomes } = glance;
  const { caches, settings } = sources;
  const droplet = dropletOf(app, caches);
  const { version, apiUrl, process } = settings;
  return {
    now,
    outcomes,
    app,
    ...(droplet && { droplet }),
    // Only those with a spec are found by it.
    processes: caches.processes.by('app', key).toSorted(byName),
    workloads: caches.workloads.by('app', key).map(glimpse).toSorted(byNameOf),
    routes: caches.routes.by('app', key).toSorted(byAge),
    place: placeOf(app, sources),
    deployments: caches.deployments.by('app', key).map(briefly).toSorted(byNameOf),
    settings: { version, apiUrl, process },
  };
}

function dropletOf(app: CfApp, { builds }: Pick<CloudFoundryCaches, 'builds'>): AppDroplet | undefined {
  const name = app.spec.currentDropletRef?.name;
  const build: CfBuild | undefined = name ? builds.get(`${app.metadata.namespace}/${name}`) : undefined;
  if (!build) return undefined;
  const { droplet, state } = build.status ?? {};
  const appGuid = (build.spec as Partial<CfBuild['spec']> | undefined)?.appRef?.name;
  return {
    ...(appGuid !== undefined && { appGuid }),
    ...(state !== undefined && { state }),
    // Whoever may write this app may not be allowed to read the image of another.
    ...(droplet && appGuid === app.metadata.name && { processTypes: processTypesOf(droplet.processTypes ?? []) }),
  };
}

/** Of each type the first. Every app has a web process, also when staging found none. */
function processTypesOf(
  found: readonly { readonly type: string; readonly command?: string }[],
): NonNullable<AppDroplet['processTypes']> {
  const types = new Map<string, { readonly type: string; readonly command?: string }>();
  for (const { type, command } of found) {
    if (type && !types.has(type)) types.set(type, { type, ...(command && { command }) });
  }
  if (!types.has('web')) types.set('web', { type: 'web' });
  return [...types.values()];
}

function glimpse(workload: AppWorkload): AppWorkloadGlimpse {
  const { metadata, status } = workload;
  const { GUID: processGuid = '', version = '' } = (workload.spec ?? {}) as Partial<AppWorkload['spec']>;
  return {
    name: metadata.name ?? '',
    processGuid,
    version,
    ...(status?.observedAppRev !== undefined && { observedAppRev: status.observedAppRev }),
    kept: Object.keys(keptRevisions(workload)),
    settled: isReady(workload),
    ...(status?.error !== undefined && { error: status.error }),
  };
}

function briefly({ metadata, spec, status }: CfDeployment): DeploymentGlimpse {
  // A step that was let on is no longer waited at, though the record says so until it has been looked at.
  const waits = status?.reason === 'PAUSED' && status.step !== undefined && status.step === spec?.step;
  return {
    name: metadata.name ?? '',
    final: status?.value === 'FINALIZED',
    ...(waits && { waitsAt: status.step }),
  };
}

/** An app's namespace is its space, and says which organization that is of. */
function placeOf({ metadata }: CfApp, { caches, settings }: CfAppSources): CfAppView['place'] {
  const { namespace: space = '' } = metadata;
  const namespace = caches.namespaces.get(space);
  const orgGuid = namespace?.metadata.labels?.[labels.orgGuid];
  if (!namespace || orgGuid === undefined) return {};
  const spaceName =
    caches.spaces.get(`${orgGuid}/${space}`)?.spec.displayName ??
    namespace.metadata.annotations?.[annotations.spaceName];
  const orgName =
    caches.orgs.get(`${settings.rootNamespace}/${orgGuid}`)?.spec.displayName ??
    caches.namespaces.get(orgGuid)?.metadata.annotations?.[annotations.orgName];
  return {
    ...(spaceName !== undefined && { spaceName }),
    orgGuid,
    ...(orgName !== undefined && { orgName }),
  };
}

function byName(a: KubeObject, b: KubeObject): number {
  return byNameOf({ name: a.metadata.name ?? '' }, { name: b.metadata.name ?? '' });
}

function byNameOf(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function byAge(a: KubeObject, b: KubeObject): number {
  const [left = '', right = ''] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
  return left === right ? byName(a, b) : left < right ? -1 : 1;
}
