import type { Glance, View } from '../../control/controller.ts';
import { keptDroplets } from '../decide/kept-droplets.ts';
import type { Kept } from '../decide/surplus.ts';
import type { CfApp } from '../resources/cf-app.ts';
import type { CfBuild } from '../resources/cf-build.ts';
import type { CfPackage } from '../resources/cf-package.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import type { CloudFoundryCaches } from './caches.ts';

/** What is known when a package is decided on. */
export interface CfPackageView extends View {
  readonly resource: CfPackage;
  readonly app?: CfApp;
  /** All packages of the app, this one among them. */
  readonly packages: readonly Kept[];
  readonly settings: Pick<CloudFoundrySettings, 'retainedPackages' | 'version'>;
}

export interface CfPackageSources {
  readonly caches: Pick<CloudFoundryCaches, 'apps' | 'packages' | 'builds' | 'deployments'>;
  readonly settings: CloudFoundrySettings;
}

export function cfPackageView(glance: Glance<CfPackage>, { caches, settings }: CfPackageSources): CfPackageView {
  const { object: resource, now, outcomes } = glance;
  const { retainedPackages, version } = settings;
  const spec = resource.spec as Partial<CfPackage['spec']> | undefined;
  const key = `${resource.metadata.namespace}/${spec?.appRef?.name}`;
  const app = caches.apps.get(key);
  const needed = app
    ? packagesInUse(caches.builds.by('app', key), keptDroplets(app, caches.deployments.by('app', key)))
    : undefined;
  const packages = caches.packages.by('app', key).map(({ metadata, spec: { source } }) => ({
    name: metadata.name ?? '',
    createdAt: metadata.creationTimestamp ?? '',
    needed: !source?.registry.image || needed?.has(metadata.name ?? '') !== false,
  }));
  return { now, outcomes, resource, ...(app && { app }), packages, settings: { retainedPackages, version } };
}

/** The packages of droplets that must stay, and those that are being staged. */
function packagesInUse(builds: readonly CfBuild[], droplets: ReadonlySet<string>): ReadonlySet<string> {
  const used = builds.filter(({ metadata, status }) => {
    return droplets.has(metadata.name ?? '') || (status?.state !== 'STAGED' && status?.state !== 'FAILED');
  });
  return new Set(used.map(({ spec }) => spec.packageRef?.name ?? ''));
}
