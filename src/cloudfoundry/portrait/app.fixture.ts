import { kinds } from '../../kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import type { Around } from '../../portrait/workload.ts';
import { type DeploymentMark, markText } from '../deployment-mark.ts';
import { annotations, labels } from '../keys.ts';
import { cfApp } from '../resources/cf-app.ts';
import { type CfDeploymentSpec, type CfDeploymentStatus, cfDeployment } from '../resources/cf-deployment.ts';
import { cfProcess } from '../resources/cf-process.ts';

export const now = Date.parse('2026-06-01T12:10:00Z');
const namespace = 'space';
const made = '2026-06-01T12:00:00Z';

interface Described {
  readonly appRev?: number;
  readonly lastStop?: number;
  readonly spec?: object;
  readonly status?: object;
  readonly mark?: DeploymentMark;
  readonly ready?: boolean;
  readonly message?: string;
  readonly reason?: string;
  readonly waits?: boolean;
  readonly metadata?: object;
}

/** An app as a controller leaves it. */
export function app(described: Described = {}): AnyObject {
  const { appRev = 3, lastStop = appRev, mark, ready = true, waits = false } = described;
  const condition = {
    type: 'Ready',
    status: ready ? 'True' : 'False',
    reason: described.reason ?? (ready ? 'Ready' : 'ProcessesNotReady'),
    message: described.message ?? (ready ? 'Ready' : 'web: Revision 4 does not run on all instances yet.'),
    observedGeneration: 1,
    lastTransitionTime: made,
  };
  const waiting = { ...condition, type: 'CanaryWaiting', status: 'True', reason: 'StepReached', message: 'waits' };
  return {
    apiVersion: cfApp.apiVersion,
    kind: 'CFApp',
    metadata: {
      name: 'guid',
      namespace,
      uid: 'uid-guid',
      resourceVersion: '7',
      generation: 1,
      creationTimestamp: made,
      annotations: {
        [annotations.appRev]: String(appRev),
        [annotations.lastStopAppRev]: String(lastStop),
        ...(mark && { [annotations.deployment]: markText(mark) }),
      },
      ...described.metadata,
    },
    spec: {
      displayName: 'shop',
      desiredState: 'STARTED',
      lifecycle: { type: 'docker' },
      currentDropletRef: { name: 'droplet-a' },
      ...described.spec,
    },
    status: {
      actualState: 'STARTED',
      observedAppRev: String(appRev),
      conditions: [condition, ...(waits ? [waiting] : [])],
      ...described.status,
    },
  } as AnyObject;
}

export const web: AnyObject = {
  apiVersion: cfProcess.apiVersion,
  kind: 'CFProcess',
  metadata: { name: 'web-guid', namespace },
  spec: { appRef: { name: 'guid' }, processType: 'web', desiredInstances: 3, memoryMB: 128 },
  status: { actualInstances: 3 },
} as AnyObject;

export function pod(index: number, revision: number, ready = true): AnyObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `shop-${revision}-${index}`,
      namespace,
      creationTimestamp: made,
      labels: {
        [labels.appGuid]: 'guid',
        [labels.guid]: 'web-guid',
        [labels.processType]: 'web',
        [labels.version]: String(revision),
      },
    },
    spec: { containers: [{ name: 'application' }] },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  } as AnyObject;
}

export function deployment(name: string, spec: Partial<CfDeploymentSpec>, status: CfDeploymentStatus): AnyObject {
  return {
    apiVersion: cfDeployment.apiVersion,
    kind: 'CFDeployment',
    metadata: { name, namespace, uid: `uid-${name}`, creationTimestamp: made },
    spec: {
      appRef: { name: 'guid' },
      strategy: 'rolling',
      dropletRef: { name: 'droplet-b' },
      previousDropletRef: { name: 'droplet-a' },
      maxInFlight: 1,
      step: 1,
      ...spec,
    },
    status,
  } as KubeObject as AnyObject;
}

export function around(...objects: readonly AnyObject[]): Around {
  const known = new Map<ResourceType, string>([
    [cfProcess.type, 'CFProcess'],
    [cfDeployment.type, 'CFDeployment'],
    [kinds.pods, 'Pod'],
    [kinds.statefulSets, 'StatefulSet'],
  ]);
  return {
    now,
    find: () => 'unknown',
    list: (type) => objects.filter(({ kind }) => kind === known.get(type)),
  };
}
