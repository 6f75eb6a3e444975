import type { Place } from '../../render/place.ts';
import { renderObjects } from '../../render/render-objects.ts';
import type { Task } from '../../resources/operator-version.ts';
import { prepareChild } from './prepare-child.ts';
import { preparePipe } from './prepare-pipe.ts';
import { switchedOn } from './toggle.ts';
import type { TaskFailure, TaskWork } from './work.ts';

/** What a task amounts to, as far as it can be known without looking at the cluster. Pure and total. */
export function prepare(name: string, place: Place, waiterImage: string): TaskWork {
  const task = place.operatorVersion.spec.tasks?.find((one) => one.name === name);
  const fail = (failure: TaskFailure): TaskWork => ({ name, place, does: 'fail', failure });
  if (!task) return fail(unknownTask(name, place));
  switch (task.kind) {
    case 'Apply':
      return prepareObjects('apply', task, place);
    case 'Delete':
      return prepareObjects('delete', task, place);
    case 'Toggle': {
      const on = switchedOn(task, place);
      return typeof on === 'boolean' ? prepareObjects(on ? 'apply' : 'delete', task, place) : fail(on);
    }
    case 'Pipe':
      return preparePipe(task, place, waiterImage);
    case 'KudoOperator':
      return prepareChild(task, place);
    case 'Dummy': {
      const { wantErr = false, fatal = false, done = false } = task.spec ?? {};
      return { name, place, does: 'dummy', wantErr, fatal, done };
    }
    default:
      return fail({
        reason: 'TaskBuildError',
        message: `failed to build task ${taskPath(name, place)}: unknown task kind ${task.kind}`,
        fatal: true,
      });
  }
}

/** `deploy.nodes.node.apply-node`: where a task stands, as messages name it. */
export function taskPath(name: string, { plan, phase, step }: Place): string {
  return [plan, phase, step, name].join('.');
}

function prepareObjects(does: 'apply' | 'delete', task: Task, place: Place): TaskWork {
  const { name } = task;
  const rendered = renderObjects(place, task.spec?.resources ?? []);
  if ('complaint' in rendered) {
    const { reason, message } = rendered.complaint;
    return { name, place, does: 'fail', failure: { reason, message, fatal: true } };
  }
  return { name, place, does, ...rendered };
}

function unknownTask(name: string, place: Place): TaskFailure {
  return { reason: 'UnknownTaskName', message: `missing task ${taskPath(name, place)}`, fatal: true };
}
