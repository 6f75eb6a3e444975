import type { Instant } from '../../../clock/clock.ts';
import { dropCondition, setCondition } from '../../../control/conditions.ts';
import type { DeploymentView, SessionJobView } from '../../view.ts';
import { warned } from '../reasons.ts';
import type { Status } from '../status.ts';
import type { Step } from '../step.ts';
import { ask, isTaking } from './ask.ts';
import { askedFor } from './asked.ts';
import { due } from './due.ts';
import { tidied } from './history.ts';
import { askedOf, type SnapshotCase, snapshotCase } from './snapshot-case.ts';
import type { SnapshotKind } from './snapshot-object.ts';

const kinds: readonly SnapshotKind[] = ['savepoint', 'checkpoint'];

/**
 * What is to be done about the snapshots of a job at rest; `undefined` when nothing, or nothing but waiting: `snapshotsDueAt`
 * says until when. `status` is the job's, with all that was seen folded in.
 *
 * | what                                   | when                                                                      |
 * | -------------------------------------- | ------------------------------------------------------------------------- |
 * | what was asked for is followed         | always; given up with a warning when the job does not run any more        |
 * | a nonce or the clock asks for one      | the job is RUNNING, and none of the same kind is being taken              |
 * | the oldest are removed                 | the job is RUNNING, and there are more or older ones than the history keeps |
 */
export function snapshots(view: DeploymentView | SessionJobView, status: Status): Step<Status> | undefined {
  const found = snapshotCase(view, status);
  if (!found) return undefined;
  let c = found;
  for (const of of kinds) {
    const asked = askedFor(c, of);
    if (asked.is === 'step') return asked.step;
    if (asked.is === 'waiting') continue;
    c = { ...c, status: asked.status };
    const step = next(c, of);
    if (step) return step;
  }
  const step = periodsRead(c) ?? tidied(c);
  if (step) return step;
  return c.status === status ? undefined : { status: c.status, effects: [], because: 'a snapshot has been asked for' };
}

function next(c: SnapshotCase, of: SnapshotKind): Step<Status> | undefined {
  if (c.status.jobStatus?.state !== 'RUNNING') return undefined;
  const found = due(c, of);
  if (found?.type !== 'MANUAL' && found?.type !== 'PERIODIC') return undefined;
  return isTaking(c, of, found) ? undefined : ask(c, of, found);
}

/** A period that cannot be read is a condition of its own: the job runs on, without periodic snapshots. */
function periodsRead(c: SnapshotCase): Step<Status> | undefined {
  const type = 'PeriodicSnapshots';
  const { status, view, job } = c;
  const before = status.conditions ?? [];
  const problems = kinds.flatMap((of) => {
    const found = due(c, of);
    return found?.type === 'unreadable' ? [`kubernetes.operator.periodic.${of}.interval: ${found.problem}`] : [];
  });
  const message = problems.join('; ');
  const finding = { type, status: 'False', reason: 'UnreadablePeriod', message } as const;
  const after =
    problems.length === 0
      ? dropCondition(before, type)
      : setCondition(before, finding, job.metadata.generation ?? 0, view.now);
  if (after === before) return undefined;
  const next = { ...status, conditions: [...after] };
  if (problems.length === 0) return { status: next, effects: [], because: 'periodic snapshots can be taken again' };
  return { status: next, effects: [warned(job, 'ValidationError', message)], because: message };
}

/** When the snapshots of a job must be looked at again, though nothing changed by then. */
export function snapshotsDueAt(view: DeploymentView | SessionJobView, status: Status): Instant | undefined {
  const c = snapshotCase(view, status);
  if (!c) return undefined;
  const times = kinds.flatMap((of) => {
    const asked = askedFor(c, of);
    if (asked.is === 'waiting') return asked.wakeAt ?? [];
    const found = status.jobStatus?.state === 'RUNNING' ? due(c, of) : undefined;
    return found?.type === 'later' ? found.at : [];
  });
  const retry = Date.parse(status.disposal?.retryAt ?? '');
  if (!Number.isNaN(retry)) times.push(retry);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Whether a savepoint that is kept in the job's own status is being taken: upgrades wait for it. */
export function isTakingSavepoint(status: Status): boolean {
  return askedOf(status, 'savepoint')?.id !== undefined;
}
