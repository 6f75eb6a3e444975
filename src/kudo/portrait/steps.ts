import type { Step } from '../../portrait/portrait.ts';
import { own } from '../graph/own.ts';
import type { OperatorVersion, Task } from '../resources/operator-version.ts';
import { lastEnded } from './ended.ts';
import type { Read } from './instance-in.ts';
import { progressOf, type StepAt } from './progress.ts';
import { brief, names, timeIn } from './wording.ts';

/** More than this nobody reads, and a status may name anything. */
const most = 500;

/** The steps of the plan that runs, or of the one that ran last. What they do is known if the version is. */
export function stepsOf({ status }: Read, version: OperatorVersion | undefined): readonly Step[] {
  const { execution } = status;
  const begun = execution ?? lastEnded(status);
  if (!begun) return [];
  const running = execution !== undefined;
  const { steps } = progressOf(status, begun.plan);
  const startedAt = timeIn(begun.startedAt);
  const endedAt = running ? undefined : timeIn(lastEnded(status)?.endedAt);
  return steps.slice(0, most).map((step, index): Step => {
    const info = step.message === undefined ? undefined : brief(step.message);
    return {
      name: `${begun.plan}/${step.place}`,
      title: titleOf(step, begun.plan, version),
      status: statusOf(step, running),
      // Of single steps no times are kept; that the first began with the plan and the last ended it is certain.
      ...(index === 0 && startedAt !== undefined && { startedAt }),
      ...(index === steps.length - 1 && step.status === 'COMPLETE' && endedAt !== undefined && { endedAt }),
      ...(info !== undefined && { info }),
    };
  });
}

function statusOf({ status }: StepAt, running: boolean): Step['status'] {
  switch (status) {
    case 'COMPLETE':
      return 'done';
    case 'FATAL_ERROR':
      return 'failed';
    case 'ERROR':
      // It is tried again as long as the plan runs.
      return running ? 'current' : 'failed';
    case 'IN_PROGRESS':
      return running ? 'current' : 'skipped';
    default:
      return running ? 'pending' : 'skipped';
  }
}

/** `Apply stateful-set.yaml (ledger/nodes)` */
function titleOf({ place }: StepAt, plan: string, version: OperatorVersion | undefined): string {
  const [phase = '', ...rest] = place.split('/');
  const step = rest.join('/');
  const does = version ? doneIn(version, { plan, phase, step }) : '';
  return does === '' ? `Step ${step} of phase ${phase}` : `${does.charAt(0).toUpperCase()}${does.slice(1)} (${place})`;
}

interface Position {
  readonly plan: string;
  readonly phase: string;
  readonly step: string;
}

/** What the tasks of a step do, in a few words; empty when it is not known. */
function doneIn(version: OperatorVersion, { plan, phase, step }: Position): string {
  const found = own(version.spec.plans, plan)?.phases?.find(({ name }) => name === phase);
  const tasks = found?.steps?.find(({ name }) => name === step)?.tasks ?? [];
  const known = new Map((version.spec.tasks ?? []).map((task) => [task.name, task]));
  return tasks
    .flatMap((name) => known.get(name) ?? [])
    .map(taskText)
    .join(', then ');
}

function taskText({ name, kind, spec = {} }: Task): string {
  const templates = names(spec.resources ?? []);
  switch (kind) {
    case 'Apply':
      return `apply ${templates}`;
    case 'Delete':
      return `delete ${templates}`;
    case 'Toggle':
      return `apply or delete ${templates}, as ${spec.parameter ?? 'its parameter'} says`;
    case 'Pipe':
      return `run the pod of ${spec.pod ?? name} and keep its files`;
    case 'KudoOperator':
      return `install ${spec.package ?? name} and wait for it`;
    default:
      return `run task ${name}`;
  }
}
