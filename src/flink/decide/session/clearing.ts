import { isOwn, nameTaken, remove, show } from '../in-the-way.ts';
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
  const ours = inTheWay.filter((one) => isOwn(c.uid, c.view.cluster, one));
  const all = [...ours, ...(leaving && ingress && isOwn(c.uid, c.view.cluster, ingress) ? [ingress] : [])];
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
  return stranger && !leaving ? nameTaken(c.resource, c.status, stranger.ref) : 'done';
}
