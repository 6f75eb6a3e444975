import type { Place } from '../render/place.ts';
import type { Execution, Instance, InstanceStatus } from '../resources/instance.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { frontier } from './frontier.ts';
import { planOf } from './plan-of.ts';
import { rivalsOf } from './rivals.ts';
import { lastOfEach } from './task/last-of-each.ts';
import { pipesOf } from './task/pipes-of.ts';
import { prepare } from './task/prepare.ts';
import { withRenewed } from './task/renewed.ts';
import type { StepWork, TaskFailure, TaskWork } from './task/work.ts';
import type { RandomKey } from './view.ts';

/** What the running plan is to do now, with everything rendered that its tasks need. Pure and total. */
export function workOf({
  instance,
  status,
  version,
  randomKey,
  waiterImage,
}: {
  readonly instance: Instance;
  readonly status: InstanceStatus & { readonly execution: Execution };
  readonly version: OperatorVersion;
  /** Absent: no template needs it. Nothing is rendered without it. */
  readonly randomKey?: RandomKey;
  readonly waiterImage: string;
}): readonly StepWork[] {
  const { plan: name } = status.execution;
  const plan = planOf(version, name);
  if (!plan || randomKey?.is === 'fresh' || randomKey?.is === 'orphaned') return [];
  const held = heldBack(randomKey);
  const { name: instanceName = '', namespace = '', uid = '' } = instance.metadata;
  const pipes = pipesOf(version, instanceName, name);
  const open = frontier(plan, status.planStatus?.[name]);
  const rivals = rivalsOf(plan, open);
  return open.map(({ phase, step, at }, index) => {
    const place: Place = {
      instance: { name: instanceName, namespace, uid },
      operatorVersion: version,
      parameters: status.accepted?.parameters ?? {},
      plan: name,
      phase: phase.name,
      step: step.name,
      pipes,
    };
    // The key is opened for the templates only: what is seen and logged of the work is without it.
    const secret: Place =
      randomKey?.is === 'kept' ? { ...place, key: Buffer.from(randomKey.value.open(), 'base64') } : place;
    const tasks = (step.tasks ?? []).map((task): TaskWork => {
      return held ? { ...held, name: task, place } : { ...prepare(task, secret, waiterImage), place };
    });
    const among = rivals[index];
    const done = withRenewed(lastOfEach(tasks));
    return { phase: phase.name, step: step.name, at, tasks: done, ...(among && { rivals: among }) };
  });
}

/** What a task comes to whose templates cannot be rendered for want of the key. */
function heldBack(
  randomKey: RandomKey | undefined,
):
  | { readonly does: 'wait'; readonly message: string }
  | { readonly does: 'fail'; readonly failure: TaskFailure }
  | undefined {
  if (randomKey?.is === 'foreign') return { does: 'wait', message: randomKey.message };
  if (randomKey?.is !== 'unreadable') return undefined;
  return { does: 'fail', failure: { reason: 'TaskExecutionError', message: randomKey.message, fatal: false } };
}
