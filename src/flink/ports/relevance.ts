import { type Interest, type Rest, terminal } from '../rest.ts';

/**
 * What of all that is known matters to somebody, as text: when it differs, they are woken. Instants of answers and what is
 * only wanted in the background are no news, nor is what other jobs do when one job is followed.
 */
export function relevance(rest: Rest, { jobId, wants }: Interest): string {
  const { checkpoints, exceptions, failure, metrics, requirements } = rest.job;
  const news = (what: Interest['wants'][number], value: unknown): unknown => (wants.includes(what) ? value : undefined);
  const { last, lastCompleted, lastSavepoint, inProgress } = checkpoints?.value ?? {};
  return JSON.stringify([
    rest.asked,
    rest.trouble?.kind,
    jobsOf(rest, jobId),
    Object.entries(rest.operations).map(([id, { value }]) => [id, value]),
    news('checkpoints', checkpoints && [last?.id, lastCompleted?.id, lastSavepoint?.id, inProgress?.id]),
    // That it is known at all is news to everybody who asked.
    [checkpoints, exceptions, failure, metrics, requirements, rest.version, rest.taskManagers].map(Boolean),
    isLast(rest, jobId),
    news(
      'exceptions',
      exceptions?.value.map(({ at, name }) => [at, name]),
    ),
    news('failure', failure?.value.summary),
    news('metrics', metrics?.value),
    news('requirements', requirements?.value),
    news('cluster info', [rest.version?.value, rest.taskManagers?.value]),
  ]);
}

/** Whether the checkpoints are those that a job which has ended leaves behind, even if they are the ones known before. */
function isLast({ jobs, job: { checkpoints } }: Rest, jobId: string | undefined): boolean {
  if (!jobs || !checkpoints || checkpoints.at < jobs.at) return false;
  return jobs.value.some(({ id, state }) => id === jobId && terminal(state));
}

function jobsOf({ jobs }: Rest, jobId: string | undefined): unknown {
  if (!jobs) return undefined;
  const those = jobId === undefined ? jobs.value : jobs.value.filter(({ id }) => id === jobId);
  return those.map(({ id, state, startedAt, starting, waiting }) => [id, state, startedAt, starting, waiting]);
}
