import type { KubeObject, OwnerReference } from '../../../kube/object.ts';
import { same } from '../../kinds/checks.ts';
import type { Pod } from '../../kinds/objects/pod.ts';
import type { PersistentVolumeClaim } from '../../kinds/objects/storage.ts';
import type { StatefulSet } from '../../kinds/objects/workload.ts';
import { claims } from '../../kinds/resource-types.ts';
import type { World } from '../../world.ts';
import { managedBy } from '../pods.ts';
import { claimsAt, firstOrdinal, ordinalOf } from './identity.ts';

/**
 * Gives claims the owners that the set's retention policy asks for: with `whenDeleted: Delete` the set itself, with
 * `whenScaled: Delete` the pod, once it is condemned. The garbage collector does the rest. `Retain` means no owner.
 */
export async function retainClaims(world: World, set: StatefulSet, owned: readonly Pod[]): Promise<void> {
  const { whenDeleted = 'Retain', whenScaled = 'Retain' } = set.spec.persistentVolumeClaimRetentionPolicy ?? {};
  if (set.metadata.deletionTimestamp || (set.spec.volumeClaimTemplates ?? []).length === 0) return;
  const end = firstOrdinal(set) + (set.spec.replicas ?? 1);
  for (const pod of owned) {
    const ordinal = ordinalOf(set, pod);
    if (ordinal === undefined) continue;
    const condemned = ordinal >= end || ordinal < firstOrdinal(set);
    const owner: KubeObject | undefined =
      condemned && whenScaled === 'Delete' ? pod : whenDeleted === 'Delete' ? set : undefined;
    for (const { metadata } of claimsAt(set, ordinal)) {
      const claim = world.get<PersistentVolumeClaim>(claims, metadata.namespace, metadata.name ?? '');
      if (claim) await setOwner(world, claim, owner, [set, pod]);
    }
  }
}

async function setOwner(
  world: World,
  claim: PersistentVolumeClaim,
  owner: KubeObject | undefined,
  possible: readonly KubeObject[],
): Promise<void> {
  const present: readonly OwnerReference[] = claim.metadata.ownerReferences ?? [];
  const uids = possible.map((one) => one.metadata.uid);
  const others = present.filter((one) => !uids.includes(one.uid));
  const wanted = owner ? [...others, managedBy(owner)] : others;
  if (same(present, wanted)) return;
  await world.update(claims, { ...claim, metadata: { ...claim.metadata, ownerReferences: wanted } });
}
