import type { Task, TaskSpec } from '../../resources/operator-version.ts';
import { goText } from '../go-text.ts';
import { errors, together, warnings } from './finding.ts';
import type { Verifier } from './subject.ts';

/** Each task has what its kind needs; plans name only tasks that exist; tasks that no plan names are mentioned. */
export const verifyTasks: Verifier = ({ found }) => {
  const { tasks, plans } = found.operator;
  const defined = new Set(tasks.map(({ task }) => task.name));
  const named = [...plans].flatMap(([plan, { phases }]) =>
    phases.flatMap(({ steps }) => steps.flatMap((step) => step.tasks.map((task) => ({ plan, task, at: step.at })))),
  );
  const used = new Set(named.map(({ task }) => task));
  return together([
    errors(
      tasks.flatMap(({ task, at }) => {
        const message = taskProblem(task);
        return message === undefined ? [] : [{ message, at }];
      }),
    ),
    errors(
      named
        .filter(({ task }) => !defined.has(task))
        .map(({ plan, task, at }) => ({ message: goText('task %q in plan %q is not defined', task, plan), at })),
    ),
    warnings(
      tasks
        .filter(({ task }) => !used.has(task.name))
        .map(({ task, at }) => ({ message: goText('task %q defined but not used', task.name), at })),
    ),
  ]);
};

/** Why a task cannot be built, in KUDO's words. */
function taskProblem({ name, kind, spec = {} }: Task): string | undefined {
  const instead = "has an empty resource list. if that's what you need, use a Dummy task instead";
  const problem = (words: string) => `task validation error: ${words}`;
  switch (kind) {
    case 'Apply':
    case 'Delete':
      return spec.resources?.length ? undefined : problem(`${kind.toLowerCase()} task '${name}' ${instead}`);
    case 'Toggle':
      if (!spec.resources?.length) return problem(`toggle task ${instead}`);
      return spec.parameter ? undefined : problem('Missing parameter to evaluate the Toggle Task');
    case 'Pipe': {
      if (!spec.pipe?.length) return problem('pipe task has an empty pipe files list');
      const first = spec.pipe.map(pipeProblem).find((found) => found !== undefined);
      return first && problem(first);
    }
    case 'KudoOperator':
      return spec.package ? undefined : problem(`kudo operator task '${name}' has an empty package name`);
    case 'Dummy':
      return undefined;
    default:
      return `unknown task kind ${kind}`;
  }
}

function pipeProblem(pipe: NonNullable<TaskSpec['pipe']>[number]): string | undefined {
  const { file = '', envFile = '', kind = '', key = '' } = pipe;
  const shown = `{${file} ${envFile} ${kind} ${key}}`;
  if ((file !== '') === (envFile !== ''))
    return `pipe file ${shown} must have either 'file' or 'envFile' field set but not both`;
  if (kind !== 'Secret' && kind !== 'ConfigMap') return `invalid pipe kind (must be Secret or ConfigMap): ${shown}`;
  if (!/^[a-zA-Z0-9_-]+$/.test(key))
    return `invalid pipe key (only letters, numbers and _ and - are allowed): ${shown}`;
  return undefined;
}
