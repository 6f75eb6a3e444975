import type { Pod } from '../kinds/objects/pod.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../kinds/objects/storage.ts';
import { claims, pods, volumes } from '../kinds/resource-types.ts';
import type { World } from '../world.ts';
import { type Controller, itself, type Source } from './loop.ts';
import { hasEnded } from './pods.ts';
import { recorder } from './recorder.ts';
import { writeStatus } from './write-status.ts';

const protection = 'kubernetes.io/pvc-protection';
const volumeProtection = 'kubernetes.io/pv-protection';

/**
 * Binds every claim at once to a volume made for it. A claim that is to be deleted goes when no pod uses it any more,
 * and takes its volume along.
 */
export function volumeBinder(world: World): Controller {
  const tell = recorder(world, { component: 'persistentvolume-controller' });
  return {
    name: 'volume-binder',
    sources: [itself(claims), claimsOf(pods), claimedBy(volumes)],
    async reconcile({ namespace, name }) {
      const claim = world.get<PersistentVolumeClaim>(claims, namespace, name);
      if (!claim) return releaseVolume(world, namespace, name);
      if (claim.metadata.deletionTimestamp) return release(world, claim);
      if (claim.status?.phase === 'Bound') return undefined;
      const volumeName = claim.spec.volumeName ?? `pvc-${claim.metadata.uid}`;
      if (!world.get<PersistentVolume>(volumes, undefined, volumeName)) {
        if (claim.spec.volumeName !== undefined) return undefined;
        await world.create(volumes, volumeFor(claim, volumeName));
        tell(claim, 'Normal', 'ProvisioningSucceeded', `Successfully provisioned volume ${volumeName}`);
      }
      const volume = world.get<PersistentVolume>(volumes, undefined, volumeName);
      if (!volume) return undefined;
      await writeStatus(world, volumes, volume, { ...volume.status, phase: 'Bound' });
      const named = await world.update(claims, bound(claim, volumeName));
      await writeStatus(world, claims, named, {
        phase: 'Bound',
        ...(claim.spec.accessModes && { accessModes: claim.spec.accessModes }),
        capacity: { storage: claim.spec.resources?.requests?.storage ?? '0' },
      });
      return undefined;
    },
  };
}

const bound = (claim: PersistentVolumeClaim, volumeName: string): PersistentVolumeClaim => ({
  ...claim,
  metadata: {
    ...claim.metadata,
    annotations: {
      ...claim.metadata.annotations,
      'pv.kubernetes.io/bind-completed': 'yes',
      'pv.kubernetes.io/bound-by-controller': 'yes',
    },
  },
  spec: { ...claim.spec, volumeName },
});

function volumeFor(claim: PersistentVolumeClaim, name: string): PersistentVolume {
  const { metadata, spec } = claim;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, annotations: { 'pv.kubernetes.io/provisioned-by': 'embedded.cutover.dev/memory' } },
    spec: {
      capacity: { storage: spec.resources?.requests?.storage ?? '0' },
      accessModes: spec.accessModes ?? [],
      claimRef: {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        namespace: metadata.namespace ?? '',
        name: metadata.name ?? '',
        uid: metadata.uid ?? '',
      },
      hostPath: { path: `/embedded/${name}`, type: '' },
      persistentVolumeReclaimPolicy: 'Delete',
      ...(spec.storageClassName !== undefined && { storageClassName: spec.storageClassName }),
      volumeMode: spec.volumeMode ?? 'Filesystem',
    },
  };
}

async function release(world: World, claim: PersistentVolumeClaim): Promise<undefined> {
  const { namespace = '', name = '', finalizers = [] } = claim.metadata;
  const used = world.list<Pod>(pods, { namespace }).some((pod) => !hasEnded(pod) && claimNames(pod).includes(name));
  if (used || !finalizers.includes(protection)) return undefined;
  const left = finalizers.filter((one) => one !== protection);
  await world.update(claims, { ...claim, metadata: { ...claim.metadata, finalizers: left } });
  return undefined;
}

async function releaseVolume(world: World, namespace: string, name: string): Promise<undefined> {
  for (const volume of world.list<PersistentVolume>(volumes)) {
    const { claimRef, persistentVolumeReclaimPolicy: policy } = volume.spec;
    if (claimRef?.namespace !== namespace || claimRef.name !== name) continue;
    if (policy !== 'Delete') {
      await writeStatus(world, volumes, volume, { ...volume.status, phase: 'Released' });
      continue;
    }
    const finalizers = (volume.metadata.finalizers ?? []).filter((one) => one !== volumeProtection);
    const free = await world.update(volumes, { ...volume, metadata: { ...volume.metadata, finalizers } });
    await world.remove(volumes, free);
  }
  return undefined;
}

const claimNames = (pod: Pod): readonly string[] =>
  (pod.spec.volumes ?? []).flatMap(({ persistentVolumeClaim: source }) => (source ? [source.claimName] : []));

/** A pod that ended or is gone may have been the last to use its claims. */
const claimsOf = (type: Source['type']): Source => ({
  type,
  *keys({ before, after }) {
    if (after && !hasEnded(after as unknown as Pod)) return;
    const pod = (after ?? before) as unknown as Pod;
    for (const name of claimNames(pod)) yield { namespace: pod.metadata.namespace ?? '', name };
  },
});

/** A volume that an administrator made for a claim. */
const claimedBy = (type: Source['type']): Source => ({
  type,
  *keys({ after }) {
    const reference = (after as unknown as PersistentVolume | undefined)?.spec.claimRef;
    if (reference?.name) yield { namespace: reference.namespace ?? '', name: reference.name };
  },
});
