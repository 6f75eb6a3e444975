import { Cron } from 'croner';
import type { CronJob, Job, JobReference } from '../kinds/objects/workload.ts';
import { cronJobs, jobs } from '../kinds/resource-types.ts';
import { StatusError } from '../status-error.ts';
import { instantOf, timestamp } from '../timestamp.ts';
import type { World } from '../world.ts';
import { holds } from './condition.ts';
import { type Controller, controllerOf, itself } from './loop.ts';
import { managedBy } from './pods.ts';
import { recorder, type Tell } from './recorder.ts';
import { writeStatus } from './write-status.ts';

/** More missed runs than this are not caught up with. */
const mostMissed = 100;

/** Makes Jobs by the clock. */
export function cronJobController(world: World): Controller {
  const tell = recorder(world, { component: 'cronjob-controller' });
  return {
    name: 'cronjob',
    sources: [itself(cronJobs), controllerOf(jobs, 'CronJob')],
    async reconcile({ namespace, name }) {
      const cron = world.get<CronJob>(cronJobs, namespace, name);
      if (!cron || cron.metadata.deletionTimestamp) return undefined;
      const synced = await syncStatus(world, tell, cron);
      await forgetOld(world, tell, synced);
      if (synced.spec.suspend) return undefined;
      await runIfDue(world, tell, synced);
      return untilNext(synced, world.clock.now());
    },
  };
}

const jobsOf = (world: World, cron: CronJob): readonly Job[] =>
  world.list<Job>(jobs, { namespace: cron.metadata.namespace ?? '', owner: cron.metadata.uid ?? '' });

const outcomeOf = ({ status }: Job): 'Complete' | 'Failed' | undefined =>
  holds(status?.conditions, 'Complete') ? 'Complete' : holds(status?.conditions, 'Failed') ? 'Failed' : undefined;

/** Notes which Jobs still run, and when the last one succeeded. */
async function syncStatus(world: World, tell: Tell, cron: CronJob): Promise<CronJob> {
  const own = jobsOf(world, cron);
  const running = own.filter((job) => outcomeOf(job) === undefined);
  const listed = new Set((cron.status?.active ?? []).map((one) => one.uid));
  for (const job of own) {
    const outcome = outcomeOf(job);
    if (!outcome || !listed.has(job.metadata.uid)) continue;
    tell(cron, 'Normal', 'SawCompletedJob', `Saw completed job: ${job.metadata.name}, condition: ${outcome}`);
  }
  const ends = own.map((job) => job.status?.completionTime).filter((one) => one !== undefined);
  const lastSuccessfulTime = [...ends, cron.status?.lastSuccessfulTime]
    .filter((one) => one !== undefined)
    .sort()
    .at(-1);
  const { active: _, ...rest } = cron.status ?? {};
  return writeStatus(world, cronJobs, cron, {
    ...rest,
    ...(running.length > 0 && { active: running.map(referenceTo) }),
    ...(lastSuccessfulTime !== undefined && { lastSuccessfulTime }),
  });
}

const referenceTo = (job: Job): JobReference => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  name: job.metadata.name ?? '',
  namespace: job.metadata.namespace ?? '',
  uid: job.metadata.uid ?? '',
  resourceVersion: job.metadata.resourceVersion ?? '',
});

async function forgetOld(world: World, tell: Tell, cron: CronJob): Promise<void> {
  const { successfulJobsHistoryLimit: good = 3, failedJobsHistoryLimit: bad = 1 } = cron.spec;
  for (const [outcome, limit] of [
    ['Complete', good],
    ['Failed', bad],
  ] as const) {
    const ended = jobsOf(world, cron)
      .filter((job) => outcomeOf(job) === outcome && !job.metadata.deletionTimestamp)
      .toSorted((a, b) => instantOf(a.status?.startTime) - instantOf(b.status?.startTime));
    for (const job of ended.slice(0, Math.max(0, ended.length - limit))) {
      await world.remove(jobs, job, { propagation: 'Background' });
      tell(cron, 'Normal', 'SuccessfulDelete', `Deleted job ${job.metadata.name}`);
    }
  }
}

/** Makes the Job of the latest scheduled time that has passed and was not served yet. */
async function runIfDue(world: World, tell: Tell, cron: CronJob): Promise<void> {
  const now = world.clock.now();
  const due = latestDue(cron, now, () => {
    const text = `too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew`;
    tell(cron, 'Warning', 'TooManyMissedTimes', text);
  });
  if (due === undefined) return;
  const { concurrencyPolicy, startingDeadlineSeconds: deadline } = cron.spec;
  if (deadline !== undefined && now > due + deadline * 1000) {
    tell(cron, 'Warning', 'MissSchedule', `Missed scheduled time to start a job: ${new Date(due).toUTCString()}`);
    return;
  }
  const running = jobsOf(world, cron).filter((job) => outcomeOf(job) === undefined);
  if (running.length > 0 && concurrencyPolicy === 'Forbid') {
    tell(
      cron,
      'Normal',
      'JobAlreadyActive',
      'Not starting job because prior execution is running and concurrency policy is Forbid',
    );
    return;
  }
  if (concurrencyPolicy === 'Replace') {
    for (const job of running) {
      await world.remove(jobs, job, { propagation: 'Background' });
      tell(cron, 'Normal', 'SuccessfulDelete', `Deleted job ${job.metadata.name}`);
    }
  }
  const job = await world.create(jobs, jobFor(cron, due)).catch(existing);
  if (job) tell(cron, 'Normal', 'SuccessfulCreate', `Created job ${job.metadata.name}`);
  const stored = world.get<CronJob>(cronJobs, cron.metadata.namespace, cron.metadata.name ?? '');
  if (stored) await writeStatus(world, cronJobs, stored, { ...stored.status, lastScheduleTime: timestamp(due) });
}

/** The Job of this time may have been made before a restart. */
function existing(error: unknown): undefined {
  if (!(error instanceof StatusError) || error.status.reason !== 'AlreadyExists') throw error;
}

function jobFor(cron: CronJob, due: number): Job {
  const { metadata, spec } = cron.spec.jobTemplate;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: `${cron.metadata.name}-${Math.floor(due / 60_000)}`,
      namespace: cron.metadata.namespace ?? '',
      ...(metadata?.labels && { labels: metadata.labels }),
      annotations: { ...metadata?.annotations, 'batch.kubernetes.io/cronjob-scheduled-timestamp': timestamp(due) },
      ownerReferences: [managedBy(cron)],
    },
    spec,
  };
}

const scheduleOf = (cron: CronJob): Cron =>
  new Cron(cron.spec.schedule, { paused: true, timezone: cron.spec.timeZone ?? 'UTC' });

function latestDue(cron: CronJob, now: number, tooMany: () => void): number | undefined {
  const { startingDeadlineSeconds: deadline } = cron.spec;
  const last = instantOf(cron.status?.lastScheduleTime ?? cron.metadata.creationTimestamp);
  const from = deadline === undefined ? last : Math.max(last, now - deadline * 1000);
  const schedule = scheduleOf(cron);
  let due: number | undefined;
  let missed = 0;
  let at = from;
  for (;;) {
    const next = schedule.nextRun(new Date(at))?.getTime();
    if (next === undefined || next > now) break;
    due = next;
    at = next;
    if (++missed === mostMissed) {
      tooMany();
      at = Math.max(at, now - (next - from) / mostMissed - 60_000);
    }
  }
  return due;
}

function untilNext(cron: CronJob, now: number): number | undefined {
  const next = scheduleOf(cron).nextRun(new Date(now))?.getTime();
  return next === undefined ? undefined : next - now;
}
