import { refOf, thingId } from '../view.ts';
import type { TaskWork } from './work.ts';

type ObjectsWork = Extract<TaskWork, { does: 'apply' | 'delete' }>;

/**
 * The tasks of a step, told which objects the step first deletes and then applies: those are made anew, once. To delete
 * whatever is there would go on for ever, for the step itself puts it there.
 *
 * The other way round makes no sense: what the step applied would be deleted before anybody had it, and applied again, because
 * a step is complete when all of its tasks are done at the same time. Such a task fails.
 */
export function withRenewed(tasks: readonly TaskWork[]): readonly TaskWork[] {
  const deletedFirst = new Map<string, number>();
  const appliedLast = new Map<string, number>();
  tasks.forEach((task, index) => {
    if (task.does !== 'apply' && task.does !== 'delete') return;
    for (const id of idsOf(task)) {
      if (task.does === 'apply') appliedLast.set(id, index);
      else if (!deletedFirst.has(id)) deletedFirst.set(id, index);
    }
  });
  const isContested = (id: string): boolean => appliedLast.has(id) && deletedFirst.has(id);
  return tasks.map((task, index) => {
    if (task.does !== 'apply' && task.does !== 'delete') return task;
    const contested = idsOf(task).filter(isContested);
    const [vain] = task.does === 'delete' ? contested.filter((id) => (appliedLast.get(id) ?? 0) < index) : [];
    if (vain !== undefined) return failing(task, vain);
    const renewed = contested.filter((id) => (deletedFirst.get(id) ?? 0) < (appliedLast.get(id) ?? 0));
    return renewed.length === 0 ? task : { ...task, renewed };
  });
}

function idsOf({ objects }: ObjectsWork): readonly string[] {
  return objects.map((object) => thingId(refOf(object)));
}

function failing({ name, place }: ObjectsWork, id: string): TaskWork {
  const [, kind, object] = id.split(' ');
  const message = `${kind} ${object} is applied and then deleted by one and the same step, which would never end: delete it in a later step`;
  return { name, place, does: 'fail', failure: { reason: 'InvalidPlan', message, fatal: true } };
}
