import { refTo } from '../../../control/decision.ts';
import { refOf, thingId } from '../view.ts';
import { done, failed, type Surroundings, type TaskResult } from './run.ts';
import { send } from './send.ts';
import type { TaskWork } from './work.ts';

type DeleteWork = Extract<TaskWork, { does: 'apply' | 'delete' }>;

/**
 * Deletes objects, with what they own before them, and waits until they are gone. What the server does not know the kind
 * of cannot be there.
 */
export function runDelete({ objects }: DeleteWork, around: Surroundings): TaskResult {
  const deleted = objects.map(refOf);
  const actions: TaskResult['actions'][number][] = [];
  let left: string | undefined;
  let unwatched = false;
  for (const object of objects) {
    const thing = around.world[thingId(refOf(object))];
    if (thing?.is === 'unreadable') {
      return failed(
        { reason: 'TaskExecutionError', message: thing.message, fatal: false },
        { actions, unwatched: true },
      );
    }
    const live = thing?.is === 'known' ? thing.object : undefined;
    if (!live || thing?.is !== 'known') continue;
    left ??= `${object.kind} ${object.metadata.name ?? ''} is being deleted`;
    unwatched ||= !thing.watched;
    if (live.metadata.deletionTimestamp !== undefined) continue;
    const { resourceVersion: _version, ...of } = refTo(live);
    const { actions: more, failure, retryAt } = send({ do: 'delete', of, propagation: 'Foreground' }, around);
    actions.push(...more);
    if (failure) return failed(failure, { actions, unwatched, ...(retryAt !== undefined && { retryAt }) });
  }
  return left === undefined ? done({ deleted }) : { is: 'working', actions, message: left, unwatched, deleted };
}
