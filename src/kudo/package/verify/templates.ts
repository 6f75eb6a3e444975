import { goText } from '../go-text.ts';
import { templatesOfTask } from '../templates-of-task.ts';
import { errors, together, warnings } from './finding.ts';
import type { Verifier } from './subject.ts';

/** Tasks render only templates that exist; templates that no task renders are mentioned. */
export const verifyTemplates: Verifier = ({ found }) => {
  const needed = found.operator.tasks.flatMap(({ task, at }) =>
    (templatesOfTask(task) ?? []).map((template) => ({ template, task: task.name, at })),
  );
  const used = new Set(needed.map(({ template }) => template));
  return together([
    errors(
      needed
        .filter(({ template }) => !found.templates.has(template))
        .map(({ template, task, at }) => ({
          message: goText('template %q required by %s but is not defined', template, task),
          at,
        })),
    ),
    warnings(
      [...found.templates.keys()]
        .filter((template) => template !== found.operator.namespaceManifest && !used.has(template))
        .map((template) => ({ message: goText('template %q is not referenced from any task', template) })),
    ),
  ]);
};
