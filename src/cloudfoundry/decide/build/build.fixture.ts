import { annotations, finalizers, labels } from '../../keys.ts';
import { ownedBy } from '../../manifests/owned-by.ts';
import type { CfBuildView } from '../../observe/cf-build-view.ts';
import type { CfPackageView } from '../../observe/cf-package-view.ts';
import type { BuildWorkload } from '../../resources/build-workload.ts';
import type { CfApp } from '../../resources/cf-app.ts';
import type { CfBuild, CfBuildStatus } from '../../resources/cf-build.ts';
import type { CfPackage } from '../../resources/cf-package.ts';
import { defaultSettings } from '../../settings.ts';

/** For tests of packages and builds: everything is there, as the API makes it. */
export const now = Date.UTC(2026, 5, 1, 12);
export const createdAt = '2026-06-01T11:59:00Z';

const apiVersion = 'korifi.cloudfoundry.org/v1alpha1';

function metadata(name: string, owner?: CfApp) {
  return {
    name,
    namespace: 'space',
    uid: `uid-${name}`,
    resourceVersion: '7',
    generation: 1,
    creationTimestamp: createdAt,
    labels: {
      [labels.guid]: name,
      [labels.spaceGuid]: 'space',
      [labels.appGuid]: 'app',
      [labels.createdAt]: '2026-06-01T11-59-00',
    },
    annotations: { [annotations.creationVersion]: defaultSettings.version },
    ...(owner && { ownerReferences: [ownedBy(owner)] }),
  };
}

export function app(spec: Partial<CfApp['spec']> = {}): CfApp {
  return {
    apiVersion,
    kind: 'CFApp',
    metadata: metadata('app'),
    spec: { displayName: 'orders', desiredState: 'STOPPED', lifecycle: { type: 'docker' }, ...spec },
  };
}

export function dockerPackage(spec: Partial<CfPackage['spec']> = {}): CfPackage {
  const whole = metadata('package', app());
  return {
    apiVersion,
    kind: 'CFPackage',
    metadata: {
      ...whole,
      labels: { ...whole.labels, [labels.packageState]: 'READY' },
      finalizers: [finalizers.package],
    },
    spec: {
      type: 'docker',
      appRef: { name: 'app' },
      source: { registry: { image: 'registry.example/app:1' } },
      ...spec,
    },
  };
}

export function build(spec: Partial<CfBuild['spec']> = {}, status?: CfBuildStatus): CfBuild {
  const whole = metadata('build', app());
  const state = status?.state ?? 'STAGING';
  return {
    apiVersion,
    kind: 'CFBuild',
    metadata: {
      ...whole,
      labels: {
        ...whole.labels,
        [labels.packageGuid]: 'package',
        [labels.buildState]: state,
        ...(state === 'STAGED' && { [labels.dropletGuid]: 'build' }),
      },
    },
    spec: { packageRef: { name: 'package' }, appRef: { name: 'app' }, lifecycle: { type: 'docker' }, ...spec },
    ...(status && { status }),
  };
}

export function packageView(parts: Partial<CfPackageView> = {}): CfPackageView {
  return {
    now,
    outcomes: {},
    resource: dockerPackage(),
    app: app(),
    packages: [],
    settings: defaultSettings,
    ...parts,
  };
}

export function buildView(parts: Partial<CfBuildView> = {}): CfBuildView {
  return {
    now,
    outcomes: {},
    resource: build(),
    app: app(),
    source: dockerPackage(),
    builderReady: false,
    builds: [],
    settings: defaultSettings,
    ...parts,
  };
}

export function workload(status?: BuildWorkload['status']): BuildWorkload {
  return {
    apiVersion,
    kind: 'BuildWorkload',
    metadata: { ...metadata('build'), ownerReferences: [ownedBy(build())] },
    spec: {
      buildRef: { name: 'build' },
      source: { registry: { image: 'registry.example/source:1' } },
      builderName: defaultSettings.builderName,
    },
    ...(status && { status }),
  };
}
