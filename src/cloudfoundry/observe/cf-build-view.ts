import type { Clock } from '../../clock/clock.ts';
import type { Glance, View } from '../../control/controller.ts';
import type { Sealed } from '../../control/sealed.ts';
import type { Client } from '../../kube/client.ts';
import { isReady } from '../decide/conclude.ts';
import { keptDroplets } from '../decide/kept-droplets.ts';
import type { Kept } from '../decide/surplus.ts';
import { isOwnedBy } from '../manifests/owned-by.ts';
import type { ImageFinding, ImageRegistry } from '../ports/image-registry.ts';
import type { BuildWorkload } from '../resources/build-workload.ts';
import type { CfApp } from '../resources/cf-app.ts';
import type { CfBuild } from '../resources/cf-build.ts';
import type { CfPackage } from '../resources/cf-package.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import type { CloudFoundryCaches } from './caches.ts';
import { type EnvNames, envNames } from './env-names.ts';
import { ours } from './ours.ts';
import { pullSecrets } from './pull-secrets.ts';

/** What is known when a build is decided on. */
export interface CfBuildView extends View {
  readonly resource: CfBuild;
  readonly app?: CfApp;
  readonly source?: CfPackage;
  /** What was handed to a builder. */
  readonly workload?: BuildWorkload;
  /** Whether the builder has said that it is there. */
  readonly builderReady: boolean;
  /** Only while a docker build is staged. */
  readonly image?: ImageFinding;
  /** Only while a build is to be handed to a builder. */
  readonly env?: EnvNames;
  /** All builds of the app, this one among them. */
  readonly builds: readonly Kept[];
  readonly settings: Pick<CloudFoundrySettings, 'retainedBuilds' | 'builderName' | 'version'>;
}

export interface CfBuildSources {
  readonly caches: Pick<
    CloudFoundryCaches,
    'apps' | 'packages' | 'builds' | 'deployments' | 'buildWorkloads' | 'builderInfos'
  >;
  readonly client: Client;
  readonly clock: Clock;
  readonly registry: ImageRegistry;
  readonly settings: CloudFoundrySettings;
  readonly seal: (value: string) => Sealed;
}

/** Looks at a build. Only what has not been staged yet is asked for outside of the caches, before they are read. */
export async function cfBuildView(key: string, glance: Glance<CfBuild>, sources: CfBuildSources): Promise<CfBuildView> {
  const { caches, client, clock, settings } = sources;
  const { object: resource, now, outcomes, signal } = glance;
  const { app, source } = named(resource, caches);
  // What lacks its owner is furnished first, and looked at again.
  const whole = app !== undefined && isOwnedBy(resource, app) && resource.metadata.deletionTimestamp === undefined;
  const staging = whole && !hasEnded(resource);
  const docker = resource.spec?.lifecycle?.type === 'docker';
  const began = clock.monotonic();
  const image = staging && docker && source ? await imageOf(source, sources, signal) : undefined;
  // A registry may take its time to say nothing; what is decided is decided after that.
  const asked = now + Math.ceil(clock.monotonic() - began);
  const handedOver = (): BuildWorkload | undefined => ours(caches.buildWorkloads.get(key), resource);
  const env = staging && !docker && !handedOver() ? await envNames(client, app, signal) : undefined;

  const { retainedBuilds, builderName, version } = settings;
  const workload = handedOver();
  const builder = caches.builderInfos.get(`${settings.rootNamespace}/${builderName}`);
  return {
    now: asked,
    outcomes,
    resource,
    ...named(resource, caches),
    ...(workload && { workload }),
    builderReady: builder !== undefined && isReady(builder),
    ...(image && { image }),
    ...(env && { env }),
    builds: buildsOf(resource, caches),
    settings: { retainedBuilds, builderName, version },
  };
}

export function hasEnded({ status }: CfBuild): boolean {
  return status?.state === 'STAGED' || status?.state === 'FAILED';
}

function named(
  { metadata, spec }: CfBuild,
  caches: CfBuildSources['caches'],
): { readonly app?: CfApp; readonly source?: CfPackage } {
  const app = caches.apps.get(`${metadata.namespace}/${spec?.appRef?.name}`);
  const source = caches.packages.get(`${metadata.namespace}/${spec?.packageRef?.name}`);
  return { ...(app && { app }), ...(source && { source }) };
}

async function imageOf(
  source: CfPackage,
  { client, registry, seal }: CfBuildSources,
  signal: AbortSignal,
): Promise<ImageFinding | undefined> {
  const { image, imagePullSecrets = [] } = source.spec.source?.registry ?? {};
  if (!image) return undefined;
  const credentials = await pullSecrets(client, source.metadata.namespace ?? '', imagePullSecrets, seal, signal);
  return registry.read(image, credentials, signal);
}

function buildsOf({ metadata, spec }: CfBuild, caches: CfBuildSources['caches']): readonly Kept[] {
  const key = `${metadata.namespace}/${spec?.appRef?.name}`;
  const app = caches.apps.get(key);
  const kept = app && keptDroplets(app, caches.deployments.by('app', key));
  return caches.builds.by('app', key).map((build) => ({
    name: build.metadata.name ?? '',
    createdAt: build.metadata.creationTimestamp ?? '',
    needed: !hasEnded(build) || kept?.has(build.metadata.name ?? '') !== false,
  }));
}
