import type { JsonPatch } from '../../../control/decision.ts';
import { type DeploymentMark, markText } from '../../deployment-mark.ts';
import { annotations, labels } from '../../keys.ts';
import { processGuid } from '../../names.ts';
import type { CfProcessView } from '../../observe/cf-process-view.ts';
import type { AppWorkload } from '../../resources/app-workload.ts';
import type { CfApp } from '../../resources/cf-app.ts';
import type { CfDeployment } from '../../resources/cf-deployment.ts';
import type { CfProcess } from '../../resources/cf-process.ts';
import { defaultSettings } from '../../settings.ts';

/** A space with one app in it, as objects of a cluster. */

export const appGuid = '11111111-1111-4111-8111-111111111111';
export const space = '22222222-2222-4222-8222-222222222222';
const made = '2024-06-28T09:30:00Z';

export const noon = Date.parse('2024-06-28T12:00:00Z');

interface Given {
  readonly rev?: number;
  readonly lastStop?: number;
  readonly state?: 'STARTED' | 'STOPPED';
  readonly mark?: DeploymentMark;
  /** The revision whose environment was taken. Default: the present one. */
  readonly taken?: number;
  readonly envNames?: readonly string[];
  readonly droplet?: string;
  readonly status?: CfApp['status'];
}

export function app(given: Given = {}): CfApp {
  const { rev = 0, lastStop = 0, state = 'STARTED', mark, taken = rev, envNames = [], droplet = 'droplet-1' } = given;
  return {
    apiVersion: 'korifi.cloudfoundry.org/v1alpha1',
    kind: 'CFApp',
    metadata: {
      name: appGuid,
      namespace: space,
      uid: 'app-uid',
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: made,
      annotations: {
        [annotations.appRev]: String(rev),
        [annotations.lastStopAppRev]: String(lastStop),
        ...(mark && { [annotations.deployment]: markText(mark) }),
      },
    },
    spec: {
      displayName: 'web1',
      desiredState: state,
      lifecycle: { type: 'docker' },
      currentDropletRef: { name: droplet },
    },
    status: given.status ?? {
      revision: { appRev: String(taken), envSecretName: `${appGuid}-env-${taken}`, envNames },
    },
  };
}

export function process(spec: Partial<CfProcess['spec']> = {}, status?: CfProcess['status']): CfProcess {
  const { processType = 'web' } = spec;
  const name = processGuid(appGuid, processType);
  return {
    apiVersion: 'korifi.cloudfoundry.org/v1alpha1',
    kind: 'CFProcess',
    metadata: {
      name,
      namespace: space,
      uid: `${processType}-uid`,
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: made,
      labels: {
        [labels.guid]: name,
        [labels.spaceGuid]: space,
        [labels.appGuid]: appGuid,
        [labels.processType]: processType,
        [labels.createdAt]: '2024-06-28T09-30-00',
      },
      annotations: { [annotations.creationVersion]: 'v0.1.0' },
      ownerReferences: [
        { apiVersion: 'korifi.cloudfoundry.org/v1alpha1', kind: 'CFApp', name: appGuid, uid: 'app-uid' },
      ],
    },
    spec: { appRef: { name: appGuid }, processType, desiredInstances: 2, ...spec },
    ...(status && { status }),
  };
}

export function deployment(spec: Partial<CfDeployment['spec']> = {}, status?: CfDeployment['status']): CfDeployment {
  return {
    apiVersion: 'korifi.cloudfoundry.org/v1alpha1',
    kind: 'CFDeployment',
    metadata: {
      name: 'deployment-1',
      namespace: space,
      uid: 'deployment-uid',
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2024-06-28T11:59:50Z',
      labels: {
        [labels.guid]: 'deployment-1',
        [labels.spaceGuid]: space,
        [labels.appGuid]: appGuid,
        [labels.createdAt]: '2024-06-28T11-59-50',
      },
      annotations: { [annotations.creationVersion]: 'v0.1.0' },
      ownerReferences: [
        { apiVersion: 'korifi.cloudfoundry.org/v1alpha1', kind: 'CFApp', name: appGuid, uid: 'app-uid' },
      ],
    },
    spec: {
      appRef: { name: appGuid },
      strategy: 'rolling',
      dropletRef: { name: 'droplet-1' },
      maxInFlight: 1,
      step: 1,
      ...spec,
    },
    ...(status && { status }),
  };
}

export function view(given: Partial<CfProcessView> = {}): CfProcessView {
  return {
    now: noon,
    outcomes: {},
    process: process(),
    app: app(),
    droplet: { guid: 'droplet-1', image: 'registry.example/app:1', ports: [8080] },
    workloads: [],
    settings: defaultSettings,
    ...given,
  };
}

/** The workload as the server stores what was created, or as a patch leaves it. */
export function stored(workload: AppWorkload, patch: JsonPatch = []): AppWorkload {
  const copy = structuredClone(workload) as unknown as Record<string, Record<string, unknown>>;
  for (const operation of patch) {
    const path = operation.path
      .slice(1)
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = path.pop() ?? '';
    const parent = path.reduce((object, step) => object[step] as typeof copy, copy);
    if (operation.op === 'remove') delete parent[last];
    else if ('value' in operation) parent[last] = operation.value as never;
  }
  const { metadata, ...rest } = copy as unknown as AppWorkload;
  const generation = (workload.metadata.generation ?? 0) + 1;
  return { ...rest, metadata: { ...metadata, uid: 'workload-uid', resourceVersion: String(generation), generation } };
}

/** The workload with its runner's word that all instances run its revision. */
export function running(workload: AppWorkload, status: AppWorkload['status'] = {}): AppWorkload {
  const { generation = 0 } = workload.metadata;
  const instances = Array.from({ length: workload.spec.instances }, (_, index) => String(index));
  return {
    ...workload,
    status: {
      actualInstances: workload.spec.instances,
      observedAppRev: workload.spec.version,
      instancesStatus: Object.fromEntries(instances.map((index) => [index, { state: 'RUNNING', timestamp: made }])),
      observedGeneration: generation,
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'Ready',
          message: 'Ready',
          observedGeneration: generation,
          lastTransitionTime: made,
        },
      ],
      ...status,
    },
  };
}
