import type { AnyObject } from '../../kube/object.ts';
import { at } from '../graph/workload.ts';
import { type Health, healthy, waiting } from './health.ts';
import { condition, isObserved, number, text } from './status-of.ts';

/** What is being waited for; nothing: the rollout is done. */
type Rollout = (object: AnyObject) => string | undefined;

/** As `kubectl rollout status` sees it, in its words where people know them. */
const deployment: Rollout = (object) => {
  const name = JSON.stringify(object.metadata.name);
  const [wanted, updated] = [replicas(object), count(object, 'updatedReplicas')];
  const [all, available] = [count(object, 'replicas'), count(object, 'availableReplicas')];
  const rollout = (what: string): string => `Waiting for deployment ${name} rollout to finish: ${what}...`;
  if (!isObserved(object)) return 'Waiting for deployment spec update to be observed...';
  if (at(object, ['spec', 'paused']) === true && updated < wanted) {
    return `deployment ${name} is paused: resume it, or the plan waits for ever`;
  }
  const told = condition(object, 'Progressing');
  // It may still come to an end, so the plan goes on waiting; but somebody should look.
  if (told?.reason === 'ProgressDeadlineExceeded')
    return `deployment ${name} exceeded its progress deadline: ${told.message}`;
  if (updated < wanted) return rollout(`${updated} out of ${wanted} new replicas have been updated`);
  if (all > updated) return rollout(`${all - updated} old replicas are pending termination`);
  if (available < updated) return rollout(`${available} of ${updated} updated replicas are available`);
  return undefined;
};

/**
 * With OnDelete its pods stay as they are until somebody deletes them: to wait for new ones could take for ever, so only
 * those that are there must be ready.
 */
const statefulSet: Rollout = (object) => {
  const wanted = replicas(object);
  const [ready, updated] = [count(object, 'readyReplicas'), count(object, 'updatedReplicas')];
  if (!isObserved(object)) return 'Waiting for statefulset spec update to be observed...';
  if (ready < wanted) return `Waiting for ${wanted - ready} pods to be ready...`;
  if (isOnDelete(object)) return undefined;
  const rolling = wanted - (number(object, 'spec', 'updateStrategy', 'rollingUpdate', 'partition') ?? 0);
  if (updated < rolling) {
    return `Waiting for partitioned roll out to finish: ${updated} out of ${rolling} new pods have been updated...`;
  }
  return undefined;
};

const daemonSet: Rollout = (object) => {
  const name = JSON.stringify(object.metadata.name);
  const [wanted, updated] = [count(object, 'desiredNumberScheduled'), count(object, 'updatedNumberScheduled')];
  const [available, ready] = [count(object, 'numberAvailable'), count(object, 'numberReady')];
  const rollout = (what: string): string => `Waiting for daemon set ${name} rollout to finish: ${what}...`;
  if (!isObserved(object)) return 'Waiting for daemon set spec update to be observed...';
  if (isOnDelete(object)) return ready < wanted ? rollout(`${ready} of ${wanted} pods are ready`) : undefined;
  if (updated < wanted) return rollout(`${updated} out of ${wanted} new pods have been updated`);
  if (available < wanted) return rollout(`${available} of ${wanted} updated pods are available`);
  return undefined;
};

/** Its pods are never replaced; that all it is to have are there is all there is to wait for. */
const replicaSet: Rollout = (object) => {
  const [wanted, ready] = [replicas(object), count(object, 'readyReplicas')];
  if (!isObserved(object)) return 'Waiting for its specification to be observed...';
  return ready < wanted ? `Waiting for ${wanted - ready} pods to be ready...` : undefined;
};

const rollouts: ReadonlyMap<string, { readonly word: string; readonly rollout: Rollout }> = new Map([
  ['apps/Deployment', { word: 'deployment', rollout: deployment }],
  ['apps/StatefulSet', { word: 'statefulset', rollout: statefulSet }],
  ['apps/DaemonSet', { word: 'daemonset', rollout: daemonSet }],
  ['apps/ReplicaSet', { word: 'replicaset', rollout: replicaSet }],
  ['/ReplicationController', { word: 'replicationcontroller', rollout: replicaSet }],
]);

/** Whether what a workload makes of its pod template has come to rest; `undefined` for other kinds. */
export function rolloutHealth(object: AnyObject, groupKind: string): Health | undefined {
  const row = rollouts.get(groupKind);
  if (row === undefined) return undefined;
  const message = row.rollout(object);
  return message === undefined
    ? healthy
    : waiting(`${row.word} ${JSON.stringify(object.metadata.name)} is not healthy: ${message}`);
}

function isOnDelete(object: AnyObject): boolean {
  return text(object, 'spec', 'updateStrategy', 'type') === 'OnDelete';
}

/** How many it is to have; who does not say wants one. */
function replicas(object: AnyObject): number {
  return number(object, 'spec', 'replicas') ?? 1;
}

function count(object: AnyObject, field: string): number {
  return number(object, 'status', field) ?? 0;
}
