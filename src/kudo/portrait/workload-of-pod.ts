import type { AnyObject, OwnerReference } from '../../kube/object.ts';

/** The workload that a pod is of, past the ReplicaSet of a Deployment; `undefined`: it is on its own, or nobody has looked. */
export function workloadOfPod(
  pod: AnyObject,
  find: (owner: OwnerReference) => AnyObject | undefined,
): AnyObject | undefined {
  let found: AnyObject | undefined;
  for (let steps = 0; steps < 3; steps++) {
    const owner = (found ?? pod).metadata.ownerReferences?.find(({ controller }) => controller);
    const next = owner && workloadKinds.has(owner.kind) ? find(owner) : undefined;
    if (!next) return found;
    found = next;
  }
  return found;
}

const workloadKinds: ReadonlySet<string> = new Set(['ReplicaSet', 'Deployment', 'StatefulSet', 'DaemonSet', 'Job']);
