import { refTo } from '../../../control/decision.ts';
import { refOf, thingId } from '../view.ts';
import { done, failed, type Surroundings, type TaskResult } from './run.ts';
import { send } from './send.ts';
import { isOurs, stepName, stepOf } from './whose.ts';
import type { TaskWork } from './work.ts';

type DeleteWork = Extract<TaskWork, { does: 'apply' | 'delete' }>;

/**
 * Deletes objects, with what they own before them, and waits until they are gone. What the server does not know the kind
 * of cannot be there. What merely has the name of an object of this Instance is left alone, and so is what the step has made
 * anew since.
 */
export function runDelete({ objects, place, renewed = [] }: DeleteWork, around: Surroundings): TaskResult {
  const deleted = objects.map(refOf);
  const actions: TaskResult['actions'][number][] = [];
  const warnings: string[] = [];
  let left: string | undefined;
  let unwatched = false;
  for (const object of objects) {
    const thing = around.world[thingId(refOf(object))];
    if (thing?.is === 'unreadable') {
      return failed(
        { reason: 'TaskExecutionError', message: thing.message, fatal: false },
        { actions, warnings, unwatched: true },
      );
    }
    const live = thing?.is === 'known' ? thing.object : undefined;
    if (!live || thing?.is !== 'known') continue;
    if (renewed.includes(thingId(refOf(object))) && stepOf(live, around) === stepName(place)) continue;
    if (thing.holder !== undefined || !isOurs(live, place)) {
      warnings.push(
        `${object.kind} ${object.metadata.name ?? ''} does not belong to this Instance and was not deleted`,
      );
      continue;
    }
    left ??= `${object.kind} ${object.metadata.name ?? ''} is being deleted`;
    unwatched ||= !thing.watched;
    if (live.metadata.deletionTimestamp !== undefined) continue;
    const { resourceVersion: _version, ...of } = refTo(live);
    const { actions: more, failure, retryAt } = send({ do: 'delete', of, propagation: 'Foreground' }, around);
    actions.push(...more);
    if (failure) return failed(failure, { actions, warnings, unwatched, ...(retryAt !== undefined && { retryAt }) });
  }
  return left === undefined
    ? done({ deleted, warnings })
    : { is: 'working', actions, message: left, unwatched, deleted, warnings };
}
