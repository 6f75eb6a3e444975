import type { AnyObject } from '../../kube/object.ts';
import { referencesOf } from '../graph/references.ts';
import { at, workloadOf } from '../graph/workload.ts';
import { healthOf } from '../health/health-of.ts';
import { podTrouble } from '../health/pod-trouble.ts';
import type { InstanceView, ThingRef } from './view.ts';
import { refOf, thingId } from './view.ts';

/** What may keep workloads from coming up. It is looked at once a plan takes too long. */
export interface Hindrances {
  /** What their pods need to start, and is not there. */
  readonly missing: readonly ThingRef[];
  /** Pods of the Instance. */
  readonly pods: readonly AnyObject[];
}

type Working = Pick<InstanceView, 'work' | 'world'>;

/** More than anybody reads at once. */
const most = 3;

/** Workloads, as they are, that the running plan waits for. */
function waitedFor({ work, world }: Working): readonly AnyObject[] {
  const objects = work.flatMap(({ tasks }) => tasks.flatMap((task) => (task.does === 'apply' ? task.objects : [])));
  return objects.flatMap((object) => {
    const thing = world[thingId(refOf(object))];
    const live = thing?.is === 'known' ? thing.object : undefined;
    return live && workloadOf(live) && healthOf(live).is === 'waiting' ? [live] : [];
  });
}

/** ConfigMaps and Secrets without which pods of workloads do not start that the running plan waits for, each once. */
export function neededBy(view: Working): readonly ThingRef[] {
  const refs = waitedFor(view).flatMap(needs);
  return [...new Map(refs.map((ref) => [thingId(ref), ref])).values()];
}

/**
 * Why workloads do not come up that a plan waits for. That a volume cannot be mounted stands in no status of a pod: whoever sees only
 * that pods are not ready would not find out which template or task has made nothing of what they need.
 */
export function heldUp(view: Working, { missing, pods }: Hindrances): string | undefined {
  const absent = new Set(missing.map(thingId));
  const told = waitedFor(view).flatMap((workload) => {
    const name = `${workload.kind} ${workload.metadata.name}`;
    const lacking = needs(workload).filter((ref) => absent.has(thingId(ref)));
    if (lacking.length > 0)
      return lacking.map((ref) => `${ref.kind} ${ref.name}, which pods of ${name} need, is not there.`);
    return pods
      .filter((pod) => isOf(pod, workload))
      .flatMap((pod) => {
        const why = podTrouble(pod);
        return why === undefined ? [] : [`Pod ${pod.metadata.name} does not come up: ${why}.`];
      });
  });
  return told.length > 0 ? [...new Set(told)].slice(0, most).join(' ') : undefined;
}

/** Without a secret for pulling, an image may be had all the same. */
function needs(workload: AnyObject): readonly ThingRef[] {
  return referencesOf(workloadOf(workload)?.podSpec)
    .filter(({ kind, by, optional }) => isConfig(kind) && by !== 'imagePullSecret' && !optional)
    .map(({ kind, name }) => ({ apiVersion: 'v1', kind, name }));
}

function isConfig(kind: string): boolean {
  return kind === 'ConfigMap' || kind === 'Secret';
}

/** By the labels that the workload finds its pods by; an old pod that ends says nothing of the new ones. */
function isOf(pod: AnyObject, workload: AnyObject): boolean {
  if (pod.metadata.deletionTimestamp !== undefined) return false;
  if (workload.kind === 'Pod') return pod.metadata.uid === workload.metadata.uid;
  const labels = at(workload, ['spec', 'selector', 'matchLabels']);
  const wanted = Object.entries((labels ?? {}) as Readonly<Record<string, unknown>>);
  return wanted.length > 0 && wanted.every(([key, value]) => pod.metadata.labels?.[key] === value);
}
