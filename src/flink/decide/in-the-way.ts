import type { Ref, RemoveAction } from '../../control/decision.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { Cluster, DependentSeen } from '../view.ts';
import type { ConcludedStatus } from './conclude.ts';
import { warned } from './reasons.ts';
import type { Step } from './step.ts';

/**
 * Whether an object belongs to the resource, or to the JobManager's Deployment that does. When that one is gone already, the
 * id tells of Services and ConfigMaps: what is left of it was made here.
 */
export function isOwn(uid: string, { jobManager }: Cluster, { ref, owners, id }: DependentSeen): boolean {
  if (owners.includes(uid)) return true;
  if (!jobManager) return ref.kind !== 'Deployment' && (id?.startsWith(`${uid}-`) ?? false);
  return jobManager.owners.includes(uid) && owners.includes(jobManager.ref.uid);
}

/** Something of the same name belongs to somebody else: it is waited for, and that is said once. */
export function nameTaken<S extends ConcludedStatus>(
  resource: KubeObject & { readonly status?: ConcludedStatus },
  status: S,
  ref: Ref,
): Step<S> {
  const because = `${show(ref)} belongs to somebody else: delete or rename it. Until then nothing is deployed.`;
  const conditions = resource.status?.conditions ?? [];
  const said = conditions.some(({ reason, message }) => reason === 'NameTaken' && message === because);
  return {
    status,
    effects: said ? [] : [warned(resource, 'NameTaken', because)],
    because,
    stands: { is: 'waiting', reason: 'NameTaken' },
  };
}

/** Deletes the object, in whatever version. */
export function remove(of: Ref): RemoveAction {
  const { apiVersion, kind, namespace, name, uid } = of;
  return { do: 'delete', of: { apiVersion, kind, name, uid, ...(namespace !== undefined && { namespace }) } };
}

export function show({ kind, name }: Ref): string {
  return `${kind} ${name}`;
}
