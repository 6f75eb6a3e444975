import { isObject, member } from '../../change/equal.ts';
import type { Instant } from '../../clock/clock.ts';
import { flinkOptions } from '../config/flink-options.ts';
import { operatorOptions } from '../config/operator-options.ts';
import { read } from '../config/option.ts';
import type { JobCase } from './job-case.ts';
import { warned } from './reasons.ts';
import type { Status } from './status.ts';
import type { Step } from './step.ts';
import { begin } from './transition/begin.ts';

/** What was measured of a job's health; kept in `clusterInfo`, where the Java operator keeps its own. */
interface Sample {
  readonly jobId: string;
  /** Since when restarts are counted, and how many there had been. */
  readonly since: Instant;
  readonly restarts: number;
  /** Completed checkpoints, and when there was last one more. */
  readonly completed: number;
  readonly completedAt: Instant;
}

const key = 'CutoverHealth';

/** A job that restarts all the time, or whose checkpoints do not complete, is restarted as a whole, where that is wanted. */
export function unhealthy(c: JobCase): Step<Status> | undefined {
  const now = measured(c);
  if (!now) return undefined;
  const before = sampleIn(c);
  if (!before || before.jobId !== now.jobId || before.restarts > now.restarts || before.completed > now.completed) {
    return keep(c, now);
  }
  // The clock was set back.
  if (before.since > now.since || before.completedAt > now.completedAt) return keep(c, now);
  const why = restartsTooOften(c, before, now) ?? makesNoProgress(c, before, now);
  if (why !== undefined) return restart(c, why);
  if (now.since - before.since < windowOf(c)) return undefined;
  const progressed = now.completed > before.completed;
  return keep(c, { ...now, completedAt: progressed ? now.completedAt : before.completedAt });
}

/** When the health of a job is looked at again. */
export function unhealthyAt(c: JobCase): Instant | undefined {
  return measured(c) ? c.now + windowOf(c) : undefined;
}

function windowOf({ config }: JobCase): number {
  return Math.max(1000, read(config, operatorOptions.restartsWindow));
}

function measured(c: JobCase): Sample | undefined {
  const { metrics } = c.rest.job;
  const { jobId, state } = c.status.jobStatus ?? {};
  if (c.is !== 'application' || !read(c.config, operatorOptions.healthCheck) || !metrics || jobId === undefined) {
    return undefined;
  }
  if (state !== 'RUNNING' && state !== 'RESTARTING') return undefined;
  const restarts = metrics.value.numRestarts ?? metrics.value.fullRestarts ?? 0;
  const completed = metrics.value.numberOfCompletedCheckpoints ?? 0;
  return { jobId, since: metrics.at, restarts, completed, completedAt: metrics.at };
}

/** Over a longer time than the window, restarts are taken to be spread evenly. */
function restartsTooOften(c: JobCase, before: Sample, now: Sample): string | undefined {
  const [window, threshold] = [windowOf(c), read(c.config, operatorOptions.restartsThreshold)];
  const span = Math.max(window, now.since - before.since);
  const restarts = ((now.restarts - before.restarts) * window) / span;
  if (restarts <= threshold) return undefined;
  return `it restarted ${Math.round(restarts)} times in ${Math.round(window / 1000)} s, and ${threshold} are tolerated`;
}

function makesNoProgress(c: JobCase, before: Sample, now: Sample): string | undefined {
  const interval = read(c.config, flinkOptions.checkpointInterval);
  if (
    !read(c.config, operatorOptions.checkpointProgress) ||
    interval === undefined ||
    now.completed > before.completed
  ) {
    return undefined;
  }
  const longest = Math.max(interval, read(c.config, flinkOptions.checkpointTimeout));
  const derived = longest * (read(c.config, flinkOptions.tolerableCheckpointFailures) + 2);
  const window = Math.max(read(c.config, operatorOptions.checkpointProgressWindow) ?? 0, derived);
  const span = now.completedAt - before.completedAt;
  return span > window ? `no checkpoint completed for ${Math.round(span / 1000)} s` : undefined;
}

function restart(c: JobCase, why: string): Step<Status> | undefined {
  const stateless = (c.spec.job.upgradeMode ?? 'stateless') === 'stateless';
  if (!c.cluster.ha.available && !stateless) {
    const because = `The job is unhealthy: ${why}. It is not restarted: there is no HA metadata to go on from.`;
    const said = c.resource.status?.conditions?.some(({ reason }) => reason === 'RestartUnhealthyJob');
    const effects = said ? [] : [warned(c.resource, 'RestartUnhealthyJob', because)];
    return { status: c.status, effects, because, stands: { is: 'stalled', reason: 'RestartUnhealthyJob' } };
  }
  return begin(c, {
    cause: 'unhealthy',
    because: `The job is unhealthy: ${why}.`,
    stop: 'last-state',
    restore: { mode: c.cluster.ha.available ? 'last-state' : 'stateless' },
    events: [warned(c.resource, 'RestartUnhealthyJob', `Restarting unhealthy job: ${why}`)],
  });
}

function keep(c: JobCase, sample: Sample): Step<Status> {
  const clusterInfo = { ...c.status.clusterInfo, [key]: JSON.stringify(sample) };
  return { status: { ...c.status, clusterInfo }, effects: [], because: 'The health of the job was measured.' };
}

function sampleIn({ status }: JobCase): Sample | undefined {
  try {
    const value: unknown = JSON.parse(status.clusterInfo?.[key] ?? '');
    if (!isObject(value) || typeof member(value, 'jobId') !== 'string') return undefined;
    const numbers = ['since', 'restarts', 'completed', 'completedAt'].map((name) => member(value, name));
    return numbers.every((number) => typeof number === 'number') ? (value as unknown as Sample) : undefined;
  } catch {
    return undefined;
  }
}
