import type { FlinkDeploymentStatus } from '../resources/flink-deployment.ts';
import type { JobStatus } from '../resources/job-status.ts';
import type { HistoryEntry } from '../resources/progress.ts';
import type { ReconciliationStatus } from '../resources/reconciliation-status.ts';
import type { Transition } from '../resources/transition.ts';

/** The status of a job's resource while it is decided on. A session job has no JobManager of its own: those fields stay absent. */
export type Status = FlinkDeploymentStatus;

/** A status without some of its fields. */
export function without<T extends object, K extends keyof T>(object: T, ...keys: readonly K[]): Omit<T, K> {
  const kept = Object.entries(object).filter(([key]) => !(keys as readonly string[]).includes(key));
  return Object.fromEntries(kept) as Omit<T, K>;
}

export function withJob(status: Status, job: Partial<JobStatus>): Status {
  return { ...status, jobStatus: { ...status.jobStatus, ...job } };
}

/** With this as the state that the next deployment starts from; `undefined` forgets the one that was known. */
export function withUpgradePath(status: Status, path: string | undefined): Status {
  const kept = without(status.jobStatus ?? {}, 'upgradeSavepointPath');
  return { ...status, jobStatus: path === undefined ? kept : { ...kept, upgradeSavepointPath: path } };
}

export function withRecord(status: Status, record: Partial<ReconciliationStatus>): Status {
  return { ...status, reconciliationStatus: { ...status.reconciliationStatus, ...record } };
}

export function withTransition(status: Status, transition: Transition): Status {
  return { ...status, transition };
}

/** At most so many are kept. */
const longestHistory = 10;

/** The transition is over: it becomes history. */
export function ended(status: Status, outcome: string, at: string): Status {
  const { transition } = status;
  if (!transition) return status;
  const { id, cause, because, generation, startedAt } = transition;
  const entry: HistoryEntry = { id, cause, because, generation, startedAt, endedAt: at, outcome };
  const history = [entry, ...(status.history ?? [])].slice(0, longestHistory);
  return { ...without(status, 'transition'), history };
}
