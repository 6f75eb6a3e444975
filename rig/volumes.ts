import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '../src/kube/client.ts';
import { isKubeError, type KubeErrorKind } from '../src/kube/error.ts';
import { kinds } from '../src/kube/kinds.ts';
import type { KubeObject } from '../src/kube/object.ts';
import { listWatch } from '../src/kube/reflector/list-watch.ts';
import { reflect } from '../src/kube/reflector/reflect.ts';
import type { Resource } from '../src/kube/resource.ts';
import { NODE_NAME } from './node-config.ts';
import type { Progress } from './progress.ts';

const PROVISIONER = 'rig.local/host-path';
const STORAGE_CLASS = 'rig';

interface Claim extends KubeObject {
  readonly spec: {
    readonly storageClassName?: string;
    readonly volumeName?: string;
    readonly accessModes?: readonly string[];
    readonly resources?: { readonly requests?: { readonly storage?: string } };
  };
}

interface Volume extends KubeObject {
  readonly spec: unknown;
  readonly status?: { readonly phase?: string };
}

/**
 * Gives every claim of the default storage class a directory on the node, and takes it away with the claim. The real
 * thing is a driver that talks to disks; this is as much of it as packages with volumes need to run.
 *
 * Resolves when the storage class is there; the work goes on until `signal` aborts.
 */
export async function provisionVolumes(
  client: Client,
  directory: string,
  signal: AbortSignal,
  progress: Progress,
): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o755 });
  await client.resource(kinds.storageClasses).create({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: STORAGE_CLASS, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: PROVISIONER,
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'Immediate',
  });
  const claims = client.resource<Claim>(kinds.persistentVolumeClaims);
  const volumes = client.resource<Volume>(kinds.persistentVolumes);
  void forEach(claims, signal, progress, async (claim) => {
    if (claim.spec.storageClassName !== STORAGE_CLASS || claim.spec.volumeName || claim.metadata.deletionTimestamp)
      return;
    const path = join(directory, `${claim.metadata.uid}`);
    await mkdir(path, { recursive: true });
    await chmod(path, 0o777); // pods run as any user
    await volumes.create(volumeFor(claim, path));
  });
  void forEach(volumes, signal, progress, async ({ metadata, status }) => {
    const { name = '', annotations } = metadata;
    if (annotations?.['pv.kubernetes.io/provisioned-by'] !== PROVISIONER || status?.phase !== 'Released') return;
    await rm(join(directory, name.slice('pvc-'.length)), { recursive: true, force: true });
    await volumes.delete({ name });
  });
}

function volumeFor({ metadata, spec }: Claim, path: string): Volume {
  const { namespace, name, uid, resourceVersion } = metadata;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `pvc-${uid}`, annotations: { 'pv.kubernetes.io/provisioned-by': PROVISIONER } },
    spec: {
      storageClassName: STORAGE_CLASS,
      persistentVolumeReclaimPolicy: 'Delete',
      accessModes: spec.accessModes ?? [],
      capacity: { storage: spec.resources?.requests?.storage ?? '1Gi' },
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid, resourceVersion },
      hostPath: { path, type: 'Directory' },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [NODE_NAME] }] },
          ],
        },
      },
    },
  };
}

/** What the API answers when the work was done already, or is no longer wanted. */
const SETTLED: readonly KubeErrorKind[] = ['exists', 'not-found', 'conflict', 'aborted'];

/** Does something for every object, at each of its changes. A failure is reported and ends nothing. */
async function forEach<T extends KubeObject>(
  resource: Resource<T>,
  signal: AbortSignal,
  progress: Progress,
  work: (object: T) => Promise<void>,
): Promise<void> {
  for await (const event of reflect(listWatch(resource), { signal })) {
    if (event.type !== 'apply' && event.type !== 'init-apply') continue;
    try {
      await work(event.object);
    } catch (error) {
      if (isKubeError(error) && SETTLED.includes(error.kind)) continue;
      progress.note(`${resource.type.kind} ${event.object.metadata.name}: ${error}`);
    }
  }
}
