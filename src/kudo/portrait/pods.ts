import type { AnyObject, OwnerReference } from '../../kube/object.ts';
import { podPortrait } from '../../portrait/of-pod.ts';
import type { PodPortrait } from '../../portrait/portrait.ts';
import { instance } from '../resources/instance.ts';
import { instanceIn, type Read } from './instance-in.ts';
import { podReasons } from './pod-reasons.ts';
import type { Nearby } from './surroundings.ts';
import { workloadOfPod } from './workload-of-pod.ts';

/** Children of children of …: deeper is nothing that people look at. */
const deepest = 6;

export interface Pods {
  /** By name, its own first, then those of its children. */
  readonly all: readonly PodPortrait[];
  of(pod: AnyObject): PodPortrait;
}

/**
 * The pods of an Instance, by the label that plans put on all that they make, and those of its children, for which it speaks.
 * Why a pod restarts is told by the Instance that it runs for.
 */
export function podsOf(read: Read, near: Nearby): Pods {
  const known = new Map<string, PodPortrait>();
  for (const [index, member] of withChildren(read, near).entries()) {
    const { name = '' } = member.metadata;
    for (const pod of near.labelled(name).toSorted(byName)) {
      const { uid = '' } = pod.metadata;
      const reasons = podReasons(pod, ownerIn(pod, near), member);
      if (!known.has(uid)) known.set(uid, podPortrait(pod, { reasons, ...(index > 0 && { side: name }) }));
    }
  }
  return { all: [...known.values()], of: (pod) => known.get(pod.metadata.uid ?? '') ?? podPortrait(pod) };
}

/** An Instance and the child Instances of its KudoOperator tasks, and theirs. */
function withChildren(read: Read, near: Nearby, depth = 0): readonly Read[] {
  if (depth >= deepest) return [read];
  const children = near.ownedBy(read.metadata.uid).filter(({ kind }) => kind === instance.type.kind);
  return [read, ...children.flatMap((child) => withChildren(instanceIn(child), near, depth + 1))];
}

function ownerIn(pod: AnyObject, near: Nearby): AnyObject | undefined {
  return workloadOfPod(pod, ({ apiVersion, kind, name, uid }: OwnerReference) => {
    const found = near.find({ apiVersion, kind, name });
    return typeof found === 'object' && found.metadata.uid === uid ? found : undefined;
  });
}

function byName(one: AnyObject, other: AnyObject): number {
  return (one.metadata.name ?? '') < (other.metadata.name ?? '') ? -1 : 1;
}
