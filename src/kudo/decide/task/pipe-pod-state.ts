import type { AnyObject, KubeObject } from '../../../kube/object.ts';
import { at } from '../../graph/workload.ts';
import { condition, text } from '../../health/status-of.ts';
import type { Place } from '../../render/place.ts';
import { wasApplied } from './applied.ts';

/** How far the pod of a Pipe task is. */
export type PodState =
  | { readonly is: 'absent' }
  /** Somebody else's pod has its name. */
  | { readonly is: 'foreign' }
  /** It is being deleted. */
  | { readonly is: 'ending' }
  /** Of an earlier execution, or of a template that was mended since: its files are not the ones that are wanted. */
  | { readonly is: 'outdated' }
  /** It will never run again: evicted, or past its own deadline. */
  | { readonly is: 'broken'; readonly why: string }
  | { readonly is: 'starting'; readonly why: string }
  /** The files are there. */
  | { readonly is: 'ready' };

export function podState(live: AnyObject | undefined, wanted: KubeObject, place: Place): PodState {
  if (!live) return { is: 'absent' };
  if (!isOwnedBy(live, place)) return { is: 'foreign' };
  if (live.metadata.deletionTimestamp !== undefined) return { is: 'ending' };
  if (!wasApplied(live, wanted)) return { is: 'outdated' };
  const phase = text(live, 'status', 'phase') ?? 'Pending';
  if (phase === 'Failed' || phase === 'Succeeded') {
    const why = text(live, 'status', 'message') ?? text(live, 'status', 'reason');
    return { is: 'broken', why: why === undefined ? `it ended as ${phase}` : why };
  }
  if (phase === 'Running' && condition(live, 'Ready')?.status === 'True') return { is: 'ready' };
  return { is: 'starting', why: trouble(live) ?? phase };
}

export function isOwnedBy(
  { metadata }: KubeObject,
  { instance }: { readonly instance: Pick<Place['instance'], 'uid'> },
): boolean {
  return metadata.ownerReferences?.some(({ uid }) => uid === instance.uid) ?? false;
}

/** Reasons to wait that are no news. */
const usual = new Set(['PodInitializing', 'ContainerCreating']);

/** What keeps it from running, as far as it is worth a look: a container that fails, an image that cannot be had, no node. */
function trouble(pod: AnyObject): string | undefined {
  const statuses = ['initContainerStatuses', 'containerStatuses'].flatMap((field) => {
    const found = at(pod, ['status', field]);
    return Array.isArray(found) ? (found as readonly unknown[]) : [];
  });
  for (const status of statuses) {
    const reason = at(status, ['state', 'waiting', 'reason']);
    const ended =
      at(status, ['state', 'terminated', 'exitCode']) ?? at(status, ['lastState', 'terminated', 'exitCode']);
    const code = typeof ended === 'number' && ended !== 0 ? ended : undefined;
    const isTelling = typeof reason === 'string' && !usual.has(reason);
    if (!isTelling && code === undefined) continue;
    const message = at(status, ['state', 'waiting', 'message']);
    return [
      `container ${String(at(status, ['name']))}`,
      ...(code === undefined ? [] : [`ended with exit code ${code}`]),
      ...(isTelling ? [typeof message === 'string' ? `${reason}: ${message}` : reason] : []),
    ].join(': ');
  }
  const scheduled = condition(pod, 'PodScheduled');
  return scheduled?.status === 'False' ? `${scheduled.reason}: ${scheduled.message}` : undefined;
}
