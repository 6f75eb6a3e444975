import { canonical } from '../../../control/digest.ts';
import { refOf, thingId } from '../view.ts';
import type { TaskWork } from './work.ts';

/**
 * The tasks of a step without objects that it applies again further on: of several with one kind and name the last counts,
 * as it did when they were applied one after the other. To apply them in turn would never come to an end.
 */
export function lastOfEach(tasks: readonly TaskWork[]): readonly TaskWork[] {
  const last = new Map<string, { readonly content: string; readonly task: string }>();
  const kept = tasks.toReversed().map((task): TaskWork => {
    if (task.does !== 'apply') return task;
    const warnings: string[] = [];
    const objects = task.objects.toReversed().filter((object) => {
      const id = thingId(refOf(object));
      const content = canonical(object);
      const later = last.get(id);
      if (!later) last.set(id, { content, task: task.name });
      else if (later.content !== content) {
        const where = later.task === task.name ? 'task' : 'step';
        warnings.push(
          `${object.kind} ${object.metadata.name ?? ''} stands twice in one ${where} with different content; the last one counts`,
        );
      }
      return later === undefined;
    });
    if (objects.length === task.objects.length) return task;
    return { ...task, objects: objects.toReversed(), warnings: [...task.warnings, ...warnings] };
  });
  return kept.toReversed();
}
