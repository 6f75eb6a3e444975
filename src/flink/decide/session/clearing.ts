import type { Ref, RemoveAction } from '../../../control/decision.ts';
import type { DependentSeen } from '../../view.ts';
import { warned } from '../reasons.ts';
import type { Status } from '../status.ts';
import type { Step } from '../step.ts';
import type { MovingSession } from './session-case.ts';

/**
 * The old cluster goes: its objects by uid, and when no JobManager pod is left that could still write, its HA metadata if
 * it is not needed. `done` when nothing is in the way any more.
 */
export function clearing(c: MovingSession): Step<Status> | 'done' {
  const { jobManager, taskManager, dependents, pods, ha, ingress } = c.view.cluster;
  const { transition } = c.status;
  const leaving = transition.cause === 'deletion';
  const inTheWay = [jobManager, taskManager, ...Object.values(dependents)].filter((one) => one !== undefined);
  const ours = inTheWay.filter((one) => isOwn(c, one));
  const all = [...ours, ...(leaving && ingress && isOwn(c, ingress) ? [ingress] : [])];
  const going = all.filter(({ terminating }) => !terminating).map(({ ref }) => remove(ref));
  if (going.length > 0) return { status: c.status, effects: going, because: 'The old cluster is being removed.' };
  if (ours.length > 0 || pods.length > 0) {
    const names = [...ours, ...pods].map(({ ref }) => show(ref)).slice(0, 4);
    return { status: c.status, effects: [], because: `The old cluster is going: ${names.join(', ')}.` };
  }
  if (transition.restore.mode !== 'last-state' && ha.configMaps.length > 0) {
    return { status: c.status, effects: ha.configMaps.map(remove), because: 'The recovery metadata is being removed.' };
  }
  const stranger = inTheWay[0];
  return stranger && !leaving ? taken(c, stranger.ref) : 'done';
}

/**
 * Belongs to the resource, or to the JobManager's Deployment that does. When that one is gone already, the id tells: what
 * is left of it was made here.
 */
function isOwn({ uid, view }: MovingSession, { owners, id }: DependentSeen): boolean {
  const { jobManager } = view.cluster;
  if (owners.includes(uid) || id?.startsWith(`${uid}-`)) return true;
  return jobManager?.owners.includes(uid) === true && owners.includes(jobManager.ref.uid);
}

function taken(c: MovingSession, ref: Ref): Step<Status> {
  const because = `${show(ref)} belongs to somebody else: delete or rename it. Until then nothing is deployed.`;
  const conditions = c.resource.status?.conditions ?? [];
  const said = conditions.some(({ reason, message }) => reason === 'NameTaken' && message === because);
  return {
    status: c.status,
    effects: said ? [] : [warned(c.resource, 'NameTaken', because)],
    because,
    stands: { is: 'waiting', reason: 'NameTaken' },
  };
}

function remove(of: Ref): RemoveAction {
  const { resourceVersion: _, ...ref } = of;
  return { do: 'delete', of: ref };
}

function show({ kind, name }: Ref): string {
  return `${kind} ${name}`;
}
