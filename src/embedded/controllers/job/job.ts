import type { Condition } from '../../kinds/objects/condition.ts';
import type { Pod } from '../../kinds/objects/pod.ts';
import type { Job, JobStatus } from '../../kinds/objects/workload.ts';
import { jobs, pods } from '../../kinds/resource-types.ts';
import { instantOf, timestamp } from '../../timestamp.ts';
import type { World } from '../../world.ts';
import { claimed } from '../adopt.ts';
import { conditionOf, holds, withCondition } from '../condition.ts';
import { byDispensability } from '../dispensable.ts';
import { type Controller, controllerOf, itself, type Key } from '../loop.ts';
import { orphansOf } from '../orphans-of.ts';
import { hasEnded, isActive, isReady, managerOf } from '../pods.ts';
import { recorder, type Tell } from '../recorder.ts';
import { writeStatus } from '../write-status.ts';
import { jobPod } from './job-pod.ts';
import { count, release, trackingFinalizer } from './tracking.ts';
import { openIndexes, type Tally, type Verdict, verdictOf, wantedActive } from './verdict.ts';

const [firstPause, lastPause] = [10_000, 600_000];

/** Runs pods until enough of them have succeeded, or too many have failed. */
export function jobController(world: World): Controller {
  const tell = recorder(world, { component: 'job-controller' });
  return {
    name: 'job',
    sources: [itself(jobs), controllerOf(pods, 'Job'), orphansOf(world, pods, jobs)],
    async reconcile(key) {
      const job = world.get<Job>(jobs, key.namespace, key.name);
      if (!job || job.metadata.deletionTimestamp) {
        await releaseOrphans(world, key, job);
        return undefined;
      }
      if (job.spec.managedBy && job.spec.managedBy !== 'kubernetes.io/job-controller') return undefined;
      if (isOver(job)) return expire(world, job);
      return proceed(world, tell, job);
    },
  };
}

const isOver = (job: Job): boolean =>
  holds(job.status?.conditions, 'Complete') || holds(job.status?.conditions, 'Failed');

/** Pods of a Job that is gone or going are held by nobody. */
async function releaseOrphans(world: World, { namespace, name }: Key, job: Job | undefined): Promise<void> {
  for (const pod of world.list<Pod>(pods, { namespace })) {
    const owner = managerOf(pod);
    if (owner?.kind !== 'Job' || owner.name !== name || !pod.metadata.finalizers?.includes(trackingFinalizer)) continue;
    if (!job || job.metadata.uid !== owner.uid || pod.metadata.deletionTimestamp) await release(world, pod);
  }
}

/** Removes a finished Job when its time is up. */
async function expire(world: World, job: Job): Promise<number | undefined> {
  for (const pod of world.list<Pod>(pods, { namespace: job.metadata.namespace ?? '', owner: job.metadata.uid ?? '' })) {
    if (hasEnded(pod)) await release(world, pod);
  }
  const ttl = job.spec.ttlSecondsAfterFinished;
  if (ttl === undefined) return undefined;
  const ended = (job.status?.conditions ?? []).find((one) => one.type === 'Complete' || one.type === 'Failed');
  const left = instantOf(ended?.lastTransitionTime) + ttl * 1000 - world.clock.now();
  if (left > 0) return left;
  await world.remove(jobs, job, { propagation: 'Foreground' });
  return undefined;
}

async function proceed(world: World, tell: Tell, job: Job): Promise<number | undefined> {
  const now = world.clock.now();
  const all = await claimed<Pod>(world, pods, job, job.spec.selector);
  const counted = count(job, all);
  const verdict = pendingVerdict(job) ?? verdictOf(job, all, counted.tally, now);
  const active = all.filter(isActive);
  let wait: number | undefined;
  if (verdict || job.spec.suspend) await stopAll(world, tell, job, active);
  else wait = await adjust(world, tell, job, all, active, counted.tally);

  const stored = world.get<Job>(jobs, job.metadata.namespace, job.metadata.name ?? '');
  if (!stored || stored.metadata.uid !== job.metadata.uid) return undefined;
  const left = world.list<Pod>(pods, { namespace: job.metadata.namespace ?? '', owner: job.metadata.uid ?? '' });
  const status = conclude(stored, { ...counted.status, ...numbers(left) }, left, verdict, now);
  const written = await writeStatus(world, jobs, stored, status);
  announce(tell, stored, written);
  for (const pod of counted.release) await release(world, pod);
  return soonest(wait, untilDeadline(written, now));
}

/** A verdict that was given but waits for the last pods to end. */
function pendingVerdict(job: Job): Verdict | undefined {
  const conditions = job.status?.conditions;
  const met = conditionOf(conditions, 'SuccessCriteriaMet');
  if (met) return { outcome: 'Complete', reason: met.reason ?? '', message: met.message ?? '' };
  const target = conditionOf(conditions, 'FailureTarget');
  return target && { outcome: 'Failed', reason: target.reason ?? '', message: target.message ?? '' };
}

async function stopAll(world: World, tell: Tell, job: Job, active: readonly Pod[]): Promise<void> {
  for (const pod of active) {
    await world.remove(pods, pod);
    tell(job, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
  }
}

/** Makes or deletes pods so that as many work as should. Resolves to how long a new try must wait. */
async function adjust(
  world: World,
  tell: Tell,
  job: Job,
  all: readonly Pod[],
  active: readonly Pod[],
  tally: Tally,
): Promise<number | undefined> {
  const wanted = wantedActive(job, active.length, tally);
  for (const pod of byDispensability(active).slice(0, Math.max(0, active.length - wanted))) {
    await world.remove(pods, pod);
    tell(job, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
  }
  const waitsForEnd = job.spec.podReplacementPolicy === 'Failed';
  const ending = waitsForEnd ? all.filter((pod) => pod.metadata.deletionTimestamp && !hasEnded(pod)) : [];
  const missing = wanted - active.length - ending.length;
  if (missing <= 0) return undefined;
  const pause = pauseAfterFailures(all, tally, world.clock.now());
  if (pause > 0) return pause;
  const indexes = job.spec.completionMode === 'Indexed' ? openIndexes(job, [...active, ...ending], tally) : undefined;
  for (let made = 0; made < missing; made++) {
    const index = indexes?.[made];
    if (indexes && index === undefined) break;
    const pod = await world.create(pods, jobPod(job, index));
    tell(job, 'Normal', 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`);
  }
  return undefined;
}

/** After a failure the next pod waits: ten seconds, doubled with each failure in a row up to ten minutes. */
function pauseAfterFailures(all: readonly Pod[], tally: Tally, now: number): number {
  if (tally.failed === 0) return 0;
  const ends = all.filter((pod) => pod.status?.phase === 'Failed').map(endOf);
  const lastSuccess = Math.max(0, ...all.filter((pod) => pod.status?.phase === 'Succeeded').map(endOf));
  const inRow = ends.filter((end) => end > lastSuccess);
  if (inRow.length === 0) return 0;
  const pause = Math.min(lastPause, firstPause * 2 ** (inRow.length - 1));
  return Math.max(0, Math.max(...inRow) + pause - now);
}

const endOf = (pod: Pod): number =>
  Math.max(0, ...(pod.status?.containerStatuses ?? []).map((one) => instantOf(one.state.terminated?.finishedAt)));

function numbers(left: readonly Pod[]): Pick<JobStatus, 'active' | 'ready' | 'terminating'> {
  const active = left.filter(isActive);
  return {
    active: active.length,
    ready: active.filter(isReady).length,
    terminating: left.filter((pod) => pod.metadata.deletionTimestamp && !hasEnded(pod)).length,
  };
}

/** The status with its times and conditions. A verdict becomes final when no pod is left at work. */
function conclude(
  job: Job,
  counted: JobStatus,
  left: readonly Pod[],
  verdict: Verdict | undefined,
  now: number,
): JobStatus {
  const at = timestamp(now);
  const say = (type: string, status: 'True' | 'False', reason: string, message: string): Condition => ({
    type,
    status,
    lastProbeTime: at,
    lastTransitionTime: at,
    reason,
    message,
  });
  let conditions = counted.conditions ?? [];
  let { startTime, active, ...rest } = counted;
  if (job.spec.suspend) {
    if (!holds(conditions, 'Suspended')) {
      conditions = withCondition(conditions, say('Suspended', 'True', 'JobSuspended', 'Job suspended'));
    }
    startTime = undefined;
  } else {
    if (holds(conditions, 'Suspended')) {
      conditions = withCondition(conditions, say('Suspended', 'False', 'JobResumed', 'Job resumed'));
      startTime = at;
    }
    startTime ??= at;
  }
  let completionTime = counted.completionTime;
  if (verdict) {
    const early = verdict.outcome === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget';
    if (!holds(conditions, early))
      conditions = withCondition(conditions, say(early, 'True', verdict.reason, verdict.message));
    const quiet = left.every(hasEnded) && Object.keys(rest.uncountedTerminatedPods ?? {}).length === 0;
    if (quiet) {
      conditions = withCondition(conditions, say(verdict.outcome, 'True', verdict.reason, verdict.message));
      if (verdict.outcome === 'Complete') completionTime = at;
    }
  }
  return {
    ...rest,
    ...(active && { active }),
    ...(startTime !== undefined && { startTime }),
    ...(completionTime !== undefined && { completionTime }),
    ...(conditions.length > 0 && { conditions }),
  };
}

function announce(tell: Tell, before: Job, after: Job): void {
  const became = (type: string): boolean =>
    holds(after.status?.conditions, type) && !holds(before.status?.conditions, type);
  if (became('Complete')) tell(after, 'Normal', 'Completed', 'Job completed');
  if (became('Failed')) {
    const failed = conditionOf(after.status?.conditions, 'Failed');
    tell(after, 'Warning', failed?.reason ?? 'Failed', failed?.message ?? '');
  }
  if (became('Suspended')) tell(after, 'Normal', 'Suspended', 'Job suspended');
  const resumed = holds(before.status?.conditions, 'Suspended') && !holds(after.status?.conditions, 'Suspended');
  if (resumed) tell(after, 'Normal', 'Resumed', 'Job resumed');
}

function untilDeadline(job: Job, now: number): number | undefined {
  const { activeDeadlineSeconds: seconds } = job.spec;
  if (seconds === undefined || job.spec.suspend || isOver(job) || !job.status?.startTime) return undefined;
  const left = instantOf(job.status.startTime) + seconds * 1000 - now;
  return left > 0 ? left : undefined;
}

function soonest(...waits: readonly (number | undefined)[]): number | undefined {
  const known = waits.filter((one) => one !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}
