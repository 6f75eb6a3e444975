import type { KubeObject } from '../../kube/object.ts';

/** What a changed pod template means for pods that run. */
export type Rollout =
  /** Kubernetes replaces them. */
  | 'rolls'
  /** Each stays until somebody deletes it. */
  | 'onDelete'
  /** The next run has it. */
  | 'nextRun'
  /** The API server refuses the change: the object has to be deleted first. */
  | 'immutable';

interface WorkloadKind {
  readonly group: string;
  /** The way to the pod template; empty: the object is one itself. */
  readonly path: readonly string[];
  readonly rollout: Rollout;
}

const kinds: ReadonlyMap<string, WorkloadKind> = new Map([
  ['Deployment', { group: 'apps', path: ['spec', 'template'], rollout: 'rolls' }],
  ['StatefulSet', { group: 'apps', path: ['spec', 'template'], rollout: 'rolls' }],
  ['DaemonSet', { group: 'apps', path: ['spec', 'template'], rollout: 'rolls' }],
  ['ReplicaSet', { group: 'apps', path: ['spec', 'template'], rollout: 'onDelete' }],
  ['ReplicationController', { group: '', path: ['spec', 'template'], rollout: 'onDelete' }],
  ['CronJob', { group: 'batch', path: ['spec', 'jobTemplate', 'spec', 'template'], rollout: 'nextRun' }],
  ['Job', { group: 'batch', path: ['spec', 'template'], rollout: 'immutable' }],
  ['Pod', { group: '', path: [], rollout: 'immutable' }],
]);

/** Something that runs pods. */
export interface Workload {
  /** The way to its pod template. */
  readonly path: readonly string[];
  readonly rollout: Rollout;
  /** The spec of its pods, of whatever shape it was written. */
  readonly podSpec: unknown;
}

/** `undefined` for all that runs no pods. */
export function workloadOf(object: KubeObject): Workload | undefined {
  const kind = kinds.get(object.kind);
  if (kind === undefined || groupOf(object.apiVersion) !== kind.group) return undefined;
  const strategy = at(object, ['spec', 'updateStrategy', 'type']);
  const rollout = kind.rollout === 'rolls' && strategy === 'OnDelete' ? 'onDelete' : kind.rollout;
  return { path: kind.path, rollout, podSpec: at(object, [...kind.path, 'spec']) };
}

export function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
}

/** What is found on a way into an object of unknown shape. */
export function at(value: unknown, path: readonly string[]): unknown {
  let here = value;
  for (const name of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined;
    here = (here as Record<string, unknown>)[name];
  }
  return here;
}
