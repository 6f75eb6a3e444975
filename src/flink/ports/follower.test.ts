import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../clock/random.ts';
import { VirtualClock } from '../../clock/virtual.ts';
import type { JobState } from '../resources/job-status.ts';
import type { Checkpoints, Interest, JobException, Operation, Rest } from '../rest.ts';
import { noCheckpoints } from './answers/checkpoints.ts';
import type { Answer, Failure } from './ask.ts';
import type { FlinkRest } from './flink-rest.ts';
import { Follower } from './follower.ts';

const job = 'a'.repeat(32);
const other = 'b'.repeat(32);
const trigger = 'c'.repeat(32);
const address = (name: string) => ({ namespace: 'team-a', name, port: 8081, tls: false });

/** One made-up cluster: what it would answer now. */
class FakeCluster {
  jobs: [id: string, state: JobState][] = [[job, 'RUNNING']];
  checkpoints: Checkpoints | undefined = noCheckpoints;
  exceptions: JobException[] = [];
  operations = new Map<string, Operation>();
  changedAt: number | undefined;
  taskManagers = 1;
  fails: Failure | undefined;
  hangs = false;
}

function world(options: { most?: number } = {}) {
  const clock = new VirtualClock();
  const clusters = new Map<string, FakeCluster>();
  const asked: string[] = [];
  let under = 0;
  let mostUnder = 0;

  async function answer<T>(name: string, what: string, value: () => T | undefined): Promise<Answer<T>> {
    asked.push(`${name} ${what}`);
    // What is true when the question arrives.
    const found = value();
    under += 1;
    mostUnder = Math.max(mostUnder, under);
    await new Promise<void>((resolve) => clock.after(5, resolve));
    under -= 1;
    const cluster = clusters.get(name) as FakeCluster;
    if (cluster.hangs) {
      await new Promise<void>((resolve) => clock.after(10_000, resolve));
      return { ok: false, failure: { kind: 'unreachable', message: 'no answer within 10 s', said: '' } };
    }
    if (cluster.fails) return { ok: false, failure: cluster.fails };
    if (found !== undefined) return { ok: true, value: found };
    return { ok: false, failure: { kind: 'refused', status: 404, message: 'not found', said: '' } };
  }

  const of = (name: string): FakeCluster => clusters.get(name) as FakeCluster;
  const rest: FlinkRest = {
    jobs: ({ name }) =>
      answer(name, 'jobs', () => {
        const { jobs, changedAt } = of(name);
        return jobs.map(([id, state]) => ({
          id,
          state,
          name: id,
          startedAt: 1,
          ...(changedAt !== undefined && { changedAt }),
        }));
      }),
    version: ({ name }) => answer(name, 'version', () => ({ version: '2.3.0', revision: 'r' })),
    taskManagers: ({ name }) => answer(name, 'taskManagers', () => of(name).taskManagers),
    job: (({ name }: { name: string }, id: string, what: string) =>
      answer(name, `${what} ${id.slice(0, 1)}`, () => {
        if (what === 'checkpoints') return of(name).checkpoints;
        return what === 'exceptions' ? of(name).exceptions : what === 'failure' ? { summary: 's', stack: '' } : {};
      })) as FlinkRest['job'],
    operation: ({ name }, { id }) =>
      answer(name, `operation ${id.slice(0, 1)}`, () => of(name).operations.get(id) ?? { is: 'unknown' }),
  };
  const follower = new Follower({ rest, clock, random: seededRandom(1), ...options });
  const woken: string[] = [];
  const deployments = follower.of('deployment');
  const sessionJobs = follower.of('session-job');
  const stop = deployments.listen((key) => woken.push(key));
  sessionJobs.listen((key) => woken.push(`job ${key}`));
  const cluster = (name = 'x'): FakeCluster => {
    const made = new FakeCluster();
    clusters.set(name, made);
    return made;
  };
  const interest = (more: Partial<Interest> = {}): Interest => ({
    cluster: address('x'),
    incarnation: 'one',
    repeatsMs: 3_000,
    jobId: job,
    wants: [],
    operations: [],
    everyMs: 1_000,
    ...more,
  });
  const counted = (what: string): number => asked.filter((one) => one === what).length;
  return {
    clock,
    cluster,
    interest,
    deployments,
    sessionJobs,
    follower,
    asked,
    counted,
    woken,
    stop,
    most: () => mostUnder,
  };
}

const unreachable: Failure = { kind: 'unreachable', message: 'connection refused', said: '' };
const nowhere = { task: undefined, endpoint: undefined, taskManager: undefined, labels: {} };
const exception: JobException = { name: 'E', stack: '', at: 7, ...nowhere };
const savepoint = { id: trigger, of: 'savepoint', jobId: job } as const;

describe('a follower', () => {
  it('answers at once with what it knows, asks at once, and wakes who looked when it knows more', async () => {
    const { clock, cluster, interest, deployments, woken } = world();
    cluster();
    const first = deployments.look('a/x', interest());
    expect(first).toMatchObject({ asked: true, trouble: undefined, jobs: undefined, operations: {} });
    await clock.advance(50);
    expect(woken).toEqual(['a/x']);
    const { jobs } = deployments.look('a/x', interest());
    expect(jobs).toEqual({ at: expect.any(Number), value: [{ id: job, state: 'RUNNING', name: job, startedAt: 1 }] });
  });

  it('asks again every interval, give or take a tenth, and wakes nobody while nothing changes', async () => {
    const { clock, cluster, interest, deployments, asked, woken } = world();
    cluster();
    deployments.look('a/x', interest({ wants: ['checkpoints', 'exceptions', 'cluster info'], everyMs: 10_000 }));
    const times: number[] = [];
    let seen = 0;
    for (let i = 0; i < 10_000; i++) {
      await clock.advance(20);
      const now = asked.filter((one) => one === 'x jobs').length;
      if (now > seen) times.push(clock.monotonic());
      seen = now;
    }
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(gaps.length).toBeGreaterThan(15);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(9_000);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(11_100);
    expect(new Set(gaps).size).toBeGreaterThan(5);
    expect(woken).toEqual(['a/x']);
  });

  it('asks for nothing and runs no timer while no JobManager is ready, nobody looks, or nobody listens', async () => {
    const { clock, cluster, interest, deployments, sessionJobs, asked, stop } = world();
    cluster();
    expect(deployments.look('a/x', interest({ incarnation: undefined }))).toMatchObject({ asked: false });
    await clock.advance(60_000);
    expect([asked.length, clock.untilNext]).toEqual([0, undefined]);

    deployments.look('a/x', interest());
    await clock.advance(50);
    expect(asked).toEqual(['x jobs']);
    deployments.forget('a/x');
    await clock.advance(60_000);
    expect([asked.length, clock.untilNext]).toEqual([1, undefined]);

    deployments.look('a/x', interest());
    stop();
    sessionJobs.listen(() => {})();
    await clock.advance(60_000);
    expect([asked.length, clock.untilNext]).toEqual([1, undefined]);
  });

  it('wakes for a changed state of the job, a new exception, an outcome, and trouble that begins or ends', async () => {
    const { clock, cluster, interest, deployments, woken } = world();
    const x = cluster();
    const look = () => deployments.look('a/x', interest({ wants: ['exceptions'], operations: [savepoint] }));
    const happens = async (change: () => void): Promise<number> => {
      look();
      woken.length = 0;
      change();
      await clock.advance(3_000);
      return woken.length;
    };
    x.operations.set(trigger, { is: 'in progress' });
    expect(await happens(() => {})).toBe(1);
    expect(await happens(() => {})).toBe(0);
    expect(await happens(() => (x.jobs = [[job, 'RESTARTING']]))).toBe(1);
    expect(await happens(() => (x.jobs = [...x.jobs, [other, 'RUNNING']]))).toBe(0);
    expect(await happens(() => (x.exceptions = [exception]))).toBe(1);
    expect(await happens(() => (x.taskManagers = 9))).toBe(0);
    expect(await happens(() => x.operations.set(trigger, { is: 'done', location: 's3://s' }))).toBe(1);
    expect(await happens(() => (x.fails = unreachable))).toBe(1);
    expect(look().trouble).toMatchObject({ kind: 'unreachable', message: 'connection refused' });
    expect(await happens(() => (x.fails = { ...unreachable, message: 'another text' }))).toBe(0);
    const { trouble } = look();
    expect(trouble && trouble.at - trouble.since).toBeGreaterThan(2_000);
    expect(await happens(() => (x.fails = undefined))).toBe(1);
    expect(look().trouble).toBeUndefined();
    expect(await happens(() => (x.jobs = []))).toBe(1);
  });

  it('takes checkpoints for news only when they are wanted, not when they are known in the background', async () => {
    const { clock, cluster, interest, deployments, woken } = world();
    const x = cluster();
    const newer = (id: number): Checkpoints => ({
      ...noCheckpoints,
      last: { id, path: `chk-${id}`, triggeredAt: id, sizeBytes: 1 },
    });
    deployments.look('a/x', interest({ background: ['checkpoints'] }));
    await clock.advance(100);
    deployments.look('a/x', interest({ background: ['checkpoints'] }));
    woken.length = 0;
    x.checkpoints = newer(1);
    await clock.advance(2_000);
    expect(woken).toEqual([]);
    const { job: told } = deployments.look('a/x', interest({ wants: ['checkpoints'] }));
    expect(told.checkpoints?.value.last?.path).toBe('chk-1');
    x.checkpoints = newer(2);
    await clock.advance(2_000);
    expect(woken).toEqual(['a/x']);
  });

  it('asks at once for what is new in an interest, and no more for an operation that has ended', async () => {
    const { clock, cluster, interest, deployments, counted } = world();
    const x = cluster();
    const slow = { everyMs: 60_000 };
    deployments.look('a/x', interest(slow));
    await clock.advance(1_000);
    expect(counted('x operation c')).toBe(0);
    x.operations.set(trigger, { is: 'done', location: 's3://s' });
    deployments.look('a/x', interest({ ...slow, operations: [savepoint], wants: ['checkpoints'] }));
    await clock.advance(100);
    expect([counted('x operation c'), counted('x checkpoints a')]).toEqual([1, 1]);
    deployments.look('a/x', interest({ ...slow, operations: [savepoint], wants: ['checkpoints'] }));
    await clock.advance(600_000);
    expect(counted('x operation c')).toBe(1);
    expect(counted('x checkpoints a')).toBeGreaterThan(8);
    const { operations } = deployments.look('a/x', interest({ ...slow, operations: [savepoint] }));
    expect(operations[trigger]?.value).toEqual({ is: 'done', location: 's3://s' });
    expect(deployments.look('a/x', interest(slow)).operations).toEqual({});
  });

  it('forgets what an earlier JobManager said, except how an operation ended, and asks the new one at once', async () => {
    const { clock, cluster, interest, deployments, counted } = world();
    const x = cluster();
    x.operations.set(trigger, { is: 'done', location: 's3://s' });
    const pending = { id: other, of: 'savepoint', jobId: job } as const;
    x.operations.set(other, { is: 'in progress' });
    const all = { operations: [savepoint, pending], wants: ['checkpoints', 'cluster info'], everyMs: 60_000 } as const;
    deployments.look('a/x', interest(all));
    await clock.advance(100);
    const gone = deployments.look('a/x', interest({ ...all, incarnation: undefined }));
    expect(gone).toMatchObject({ asked: false, jobs: undefined, version: undefined, taskManagers: undefined });
    expect(Object.keys(gone.operations)).toEqual([trigger]);
    expect(gone.job.checkpoints?.value).toEqual(noCheckpoints);
    const before = counted('x jobs');
    const back = deployments.look('a/x', interest({ ...all, incarnation: 'two' }));
    expect(back).toMatchObject({ asked: true, jobs: undefined });
    expect(back.job.checkpoints).toBeUndefined();
    expect(Object.keys(back.operations)).toEqual([trigger]);
    x.operations.clear();
    await clock.advance(100);
    expect(counted('x jobs')).toBe(before + 1);
    const now = deployments.look('a/x', interest({ ...all, incarnation: 'two' }));
    expect(now.operations[trigger]?.value.is).toBe('done');
    expect(now.operations[other]?.value.is).toBe('unknown');
  });

  it('does not believe an answer that was on its way when the JobManager changed', async () => {
    const { clock, cluster, interest, deployments } = world();
    const x = cluster();
    const look = (incarnation: string) => deployments.look('a/x', interest({ incarnation, everyMs: 60_000 }));
    x.hangs = true;
    look('one');
    await clock.advance(1_000);
    x.hangs = false;
    x.jobs = [[job, 'INITIALIZING']];
    look('two');
    await clock.advance(100);
    expect(look('two').jobs?.value[0]?.state).toBe('INITIALIZING');
    await clock.advance(20_000);
    expect(look('two')).toMatchObject({ trouble: undefined, jobs: { value: [{ state: 'INITIALIZING' }] } });
  });

  it('tries again quickly while a new JobManager does not answer yet, and ever more slowly up to the interval', async () => {
    const { clock, cluster, interest, deployments, asked } = world();
    const x = cluster();
    x.fails = unreachable;
    deployments.look('a/x', interest({ everyMs: 60_000 }));
    await clock.advance(1_000);
    expect(asked.length).toBeGreaterThanOrEqual(4);
    deployments.look('a/x', interest({ everyMs: 60_000 }));
    await clock.advance(599_000);
    expect(asked.length).toBeLessThan(25);
    x.fails = undefined;
    await clock.advance(70_000);
    expect(deployments.look('a/x', interest({ everyMs: 60_000 })).trouble).toBeUndefined();
  });

  it('serves all who look at a cluster with one request for its jobs, and each with what concerns them', async () => {
    const { clock, cluster, interest, deployments, sessionJobs, asked, counted, woken } = world();
    const x = cluster();
    x.jobs = Array.from({ length: 20 }, (_, index) => [index.toString(16).padStart(32, '0'), 'RUNNING']);
    const { jobId: _, ...session } = interest({ everyMs: 10_000 });
    deployments.look('a/x', session);
    for (const [id] of x.jobs) {
      await clock.advance(300);
      sessionJobs.look(id, interest({ jobId: id, everyMs: 10_000, wants: ['exceptions'] }));
    }
    await clock.advance(20_000);
    for (const [id] of x.jobs) sessionJobs.look(id, interest({ jobId: id, everyMs: 10_000, wants: ['exceptions'] }));
    deployments.look('a/x', session);
    asked.length = 0;
    woken.length = 0;
    await clock.advance(100_000);
    expect(counted('x jobs')).toBeLessThanOrEqual(11);
    const mine = x.jobs[3]?.[0] ?? '';
    x.jobs = x.jobs.map(([id, state]) => [id, id === mine ? 'FAILED' : state]);
    await clock.advance(12_000);
    expect(woken.sort()).toEqual(['a/x', `job ${mine}`]);
  });

  it('believes what a job that ended left behind only when Flink cannot repeat what it said before the end', async () => {
    const { clock, cluster, interest, deployments, sessionJobs, counted, woken } = world();
    const x = cluster();
    const look = () =>
      deployments.look('a/x', interest({ everyMs: 60_000, wants: ['failure'], background: ['checkpoints'] }));
    const areLast = ({ job, jobs }: Rest) => (job.checkpoints?.at ?? 0) >= (jobs?.at ?? Number.POSITIVE_INFINITY);
    look();
    sessionJobs.look('a/y', interest({ jobId: other, everyMs: 1_000 }));
    await clock.advance(3_000);
    look();
    const once = counted('x checkpoints a');
    x.jobs = [[job, 'FAILED']];
    await clock.advance(1_200);
    const ended = look();
    expect(ended).toMatchObject({
      jobs: { value: [{ state: 'FAILED' }] },
      job: { failure: { value: { summary: 's' } } },
    });
    expect(areLast(ended)).toBe(false);
    await clock.advance(1_000);
    expect(areLast(look())).toBe(false);
    x.checkpoints = { ...noCheckpoints, last: { id: 9, path: 'chk-9', triggeredAt: 9, sizeBytes: 1 } };
    woken.length = 0;
    await clock.advance(2_000);
    expect(woken).toContain('a/x');
    expect(areLast(look())).toBe(true);
    expect(look().job.checkpoints?.value.last?.id).toBe(9);
    const then = counted('x checkpoints a');
    expect(then - once).toBeLessThanOrEqual(4);
    await clock.advance(600_000);
    expect(areLast(look())).toBe(true);
    expect(counted('x checkpoints a')).toBe(then);
  });

  it('comes back for the last checkpoints of a job that is followed slowly, and tells of them even if they are no others', async () => {
    const { clock, cluster, interest, deployments, counted, woken } = world();
    const x = cluster();
    const look = () => deployments.look('a/x', interest({ everyMs: 300_000, wants: ['checkpoints'] }));
    look();
    await clock.advance(100);
    x.jobs = [[job, 'FINISHED']];
    look();
    woken.length = 0;
    await clock.advance(340_000);
    // Of its end, and of what it left.
    expect(woken.length).toBe(2);
    expect(look().jobs?.value[0]?.state).toBe('FINISHED');
    expect(counted('x checkpoints a')).toBe(3);
  });

  it('asks at rest only for what can have changed without the job, and now and then for the rest', async () => {
    const { clock, cluster, interest, deployments, asked, counted } = world();
    const x = cluster();
    x.changedAt = 1;
    const look = () =>
      deployments.look(
        'a/x',
        interest({ everyMs: 60_000, wants: ['exceptions'], background: ['checkpoints', 'cluster info'] }),
      );
    look();
    await clock.advance(100);
    look();
    await clock.advance(400_000);
    asked.length = 0;
    await clock.advance(600_000);
    expect(counted('x jobs')).toBeGreaterThanOrEqual(9);
    expect(counted('x checkpoints a')).toBe(counted('x jobs'));
    const rarely = [counted('x exceptions a'), counted('x taskManagers')];
    expect(Math.min(...rarely)).toBeGreaterThan(0);
    expect(Math.max(...rarely)).toBeLessThanOrEqual(2);
    x.changedAt = 2;
    x.exceptions = [exception];
    x.taskManagers = 0;
    await clock.advance(67_000);
    expect(look()).toMatchObject({ job: { exceptions: { value: [exception] } }, taskManagers: { value: 0 } });
  });

  it('asks clusters at rest in groups, and still each in its interval', async () => {
    const { clock, cluster, interest, deployments, asked } = world();
    const look = (name: string) => deployments.look(`a/${name}`, interest({ cluster: address(name), everyMs: 60_000 }));
    const names = Array.from({ length: 100 }, (_, index) => `c${index}`);
    for (const name of names) cluster(name);
    for (const name of names) {
      look(name);
      await clock.advance(137);
      look(name);
    }
    await clock.advance(200_000);
    asked.length = 0;
    let groups = 0;
    for (let ms = 0; ms < 60_000; ms += 100) {
      const before = asked.length;
      await clock.advance(100);
      if (asked.length > before) groups += 1;
    }
    expect(asked.length).toBeGreaterThanOrEqual(90);
    expect(asked.length).toBeLessThanOrEqual(112);
    expect(groups).toBeLessThanOrEqual(35);
  });

  it('follows a thousand clusters that start together less closely than each alone', async () => {
    const { clock, cluster, interest, deployments, asked, counted } = world();
    for (let index = 0; index < 1_000; index++) {
      cluster(`c${index}`);
      deployments.look(`a/c${index}`, interest({ cluster: address(`c${index}`) }));
    }
    await clock.advance(20_000);
    asked.length = 0;
    await clock.advance(50_000);
    expect(asked.length).toBeGreaterThan(8_000);
    expect(asked.length).toBeLessThan(12_000);
    for (let index = 1; index < 1_000; index++) deployments.forget(`a/c${index}`);
    await clock.advance(10_000);
    asked.length = 0;
    await clock.advance(10_000);
    expect(counted('c0 jobs')).toBeGreaterThanOrEqual(9);
  });

  it('shows what a round learned all at once, also to who looks in the middle of it', async () => {
    const { clock, cluster, interest, deployments, sessionJobs, woken } = world();
    const x = cluster();
    const close = () => deployments.look('a/x', interest({ wants: ['checkpoints'] }));
    const fresh = ({ jobs, job: told }: ReturnType<typeof close>) =>
      jobs === undefined || (told.checkpoints?.at ?? Number.NEGATIVE_INFINITY) >= jobs.at;
    close();
    sessionJobs.look('a/y', interest({ jobId: other, everyMs: 300 }));
    for (let i = 0; i < 3_000; i++) {
      await clock.advance(3);
      if (i === 1_500) x.jobs = [[job, 'CANCELLING']];
      sessionJobs.look('a/y', interest({ jobId: other, everyMs: 300 }));
      expect(fresh(close())).toBe(true);
    }
    expect(close().jobs?.value[0]?.state).toBe('CANCELLING');
    expect(woken.filter((who) => who === 'a/x')).toHaveLength(2);
  });

  it('never says that a trigger is unknown because it asked before the trigger was sent', async () => {
    const { clock, cluster, interest, deployments, follower } = world();
    const x = cluster();
    const look = () => deployments.look('a/x', interest({ operations: [savepoint], everyMs: 60_000 }));
    look();
    await clock.advance(50);
    expect(look().operations[trigger]?.value.is).toBe('unknown');
    x.operations.set(trigger, { is: 'in progress' });
    follower.acted(address('x'), trigger);
    expect(look().operations[trigger]).toBeUndefined();
    await clock.advance(50);
    expect(look().operations[trigger]?.value.is).toBe('in progress');

    // The same while the question is on its way.
    x.operations.clear();
    follower.acted(address('x'));
    await clock.advance(8);
    x.operations.set(trigger, { is: 'done', location: 'l' });
    follower.acted(address('x'), trigger);
    const said = new Set<string | undefined>();
    for (let ms = 0; ms < 50; ms++) {
      await clock.advance(1);
      said.add(look().operations[trigger]?.value.is);
    }
    expect([...said]).toEqual(['in progress', 'done']);
  });

  it('looks again soon after something was done, then at the pace that was asked for', async () => {
    const { clock, cluster, interest, deployments, follower, counted } = world();
    cluster();
    deployments.look('a/x', interest({ everyMs: 5_000 }));
    await clock.advance(60_000);
    const before = counted('x jobs');
    follower.acted(address('x'), trigger);
    await clock.advance(1_600);
    expect(counted('x jobs') - before).toBe(4);
    const then = counted('x jobs');
    await clock.advance(100_000);
    expect(counted('x jobs') - then).toBeLessThan(24);
  });

  it('is not held up by clusters that hang, however many', async () => {
    const { clock, cluster, interest, deployments, counted } = world({ most: 8 });
    for (let i = 0; i < 50; i++) {
      cluster(`h${i}`).hangs = true;
      deployments.look(`a/h${i}`, interest({ cluster: address(`h${i}`) }));
    }
    cluster('well');
    await clock.advance(20_000);
    deployments.look('a/well', interest({ cluster: address('well'), everyMs: 1_000 }));
    const before = counted('well jobs');
    await clock.advance(20_000);
    expect(counted('well jobs') - before).toBeGreaterThanOrEqual(18);
    expect(deployments.look('a/h7', interest({ cluster: address('h7') })).trouble).toMatchObject({
      kind: 'unreachable',
      message: 'no answer within 10 s',
    });
  });

  it('asks two thousand clusters a few at a time, and each once per interval', async () => {
    const { clock, cluster, interest, deployments, asked, woken, most } = world();
    const names = Array.from({ length: 2_000 }, (_, index) => `c${index}`);
    for (const name of names) {
      cluster(name);
      deployments.look(`a/${name}`, interest({ cluster: address(name), everyMs: 60_000 }));
    }
    await clock.runUntil(() => woken.length === names.length, 30_000);
    expect(woken.length).toBe(2_000);
    expect(asked.length).toBe(2_000);
    expect(most()).toBe(24);
  });

  it('asks first for somebody who has begun to follow closely, however many wait to be asked for the first time', async () => {
    const { clock, cluster, interest, deployments, asked } = world();
    const names = Array.from({ length: 1_000 }, (_, index) => `c${index}`);
    const look = (name: string, everyMs: number): unknown =>
      deployments.look(`a/${name}`, interest({ cluster: address(name), everyMs }));
    for (const name of names) {
      cluster(name);
      look(name, 60_000);
    }
    await clock.advance(20);
    const before = asked.length;
    expect([before < 200, asked.includes('c900 jobs')]).toEqual([true, false]);
    look('c900', 1_000);
    await clock.advance(10);
    expect(asked.slice(before)).toContain('c900 jobs');
    // Nobody is forgotten over it.
    await clock.advance(30_000);
    expect(new Set(asked.filter((question) => question.endsWith(' jobs'))).size).toBe(1_000);
  });

  it('asks no more for somebody who was woken and does not come, until they do', async () => {
    const { clock, cluster, interest, deployments, asked, woken } = world();
    const x = cluster();
    deployments.look('a/x', interest());
    await clock.advance(400_000);
    expect(woken).toEqual(['a/x']);
    asked.length = 0;
    await clock.advance(600_000);
    expect([asked.length, clock.untilNext]).toEqual([0, undefined]);
    x.jobs = [[job, 'FAILED']];
    deployments.look('a/x', interest());
    await clock.advance(100);
    expect(woken).toEqual(['a/x', 'a/x']);
    expect(deployments.look('a/x', interest()).jobs?.value[0]?.state).toBe('FAILED');
  });

  it('asks after the round that is under way for what was asked for meanwhile', async () => {
    const { clock, cluster, interest, deployments, counted } = world();
    cluster().operations.set(trigger, { is: 'in progress' });
    const look = (more: Partial<Interest> = {}) =>
      deployments.look('a/x', interest({ everyMs: 60_000, wants: ['exceptions'], ...more }));
    look();
    await clock.advance(8);
    expect(counted('x exceptions a')).toBe(1);
    look({ operations: [savepoint] });
    look({ operations: [savepoint] });
    await clock.advance(50);
    expect(counted('x operation c')).toBe(1);
  });

  it('takes a no for an answer to one question, not for trouble', async () => {
    const { clock, cluster, interest, deployments, asked } = world();
    cluster().checkpoints = undefined;
    const look = () => deployments.look('a/x', interest({ wants: ['checkpoints', 'exceptions', 'failure'] }));
    look();
    await clock.advance(100);
    const rest = look();
    expect(rest.trouble).toBeUndefined();
    expect(rest.job).toMatchObject({ checkpoints: undefined, exceptions: { value: [] }, failure: undefined });
    expect(asked.filter((one) => one.includes('failure'))).toEqual([]);
  });

  it('tells that something became known even if nobody needs to hear of its changes', async () => {
    const { clock, cluster, interest, deployments, woken } = world();
    const x = cluster();
    deployments.look('a/x', interest());
    await clock.advance(100);
    const look = () => deployments.look('a/x', interest({ background: ['cluster info'] }));
    look();
    woken.length = 0;
    await clock.advance(100);
    expect(woken).toEqual(['a/x']);
    expect(look()).toMatchObject({ version: { value: { version: '2.3.0' } }, taskManagers: { value: 1 } });
    x.taskManagers = 2;
    await clock.advance(30_000);
    expect(woken).toEqual(['a/x']);
    expect(look().taskManagers?.value).toBe(2);
  });

  it('wakes others, not who noticed it, when the JobManager changed', async () => {
    const { clock, cluster, interest, deployments, sessionJobs, woken } = world();
    cluster();
    sessionJobs.look('a/j', interest());
    deployments.look('a/x', interest());
    await clock.advance(100);
    sessionJobs.look('a/j', interest());
    deployments.look('a/x', interest());
    woken.length = 0;
    deployments.look('a/x', interest({ incarnation: undefined }));
    expect(woken).toEqual(['job a/j']);
  });

  it('knows nothing more of a job that Flink does not list any more', async () => {
    const { clock, cluster, interest, deployments } = world();
    const x = cluster();
    const look = () => deployments.look('a/x', interest({ wants: ['checkpoints'] }));
    look();
    await clock.advance(100);
    expect(look().job.checkpoints).toBeDefined();
    x.jobs = [];
    await clock.advance(2_000);
    expect(look()).toMatchObject({ jobs: { value: [] }, job: { checkpoints: undefined } });
  });

  it('asks nothing of a starting job that Flink can answer only with an error', async () => {
    const { asked, clock, cluster, deployments, interest } = world();
    const flink = cluster();
    flink.jobs = [];
    const look = () => deployments.look('team-a/x', interest({ wants: ['checkpoints', 'cluster info'] }));
    look();
    await clock.advance(500);
    flink.jobs = [[job, 'INITIALIZING']];
    await clock.advance(3_000);
    expect(new Set(asked)).toEqual(new Set(['x jobs', 'x version']));
    flink.jobs = [[job, 'CREATED']];
    await clock.advance(3_000);
    expect(look()).toMatchObject({ taskManagers: { value: 1 }, job: { checkpoints: { value: noCheckpoints } } });
  });

  it('moves with whoever looks at another cluster', async () => {
    const { clock, cluster, interest, sessionJobs, counted } = world();
    cluster('x');
    cluster('y');
    sessionJobs.look('a/j', interest());
    await clock.advance(50);
    sessionJobs.look('a/j', interest({ cluster: address('y') }));
    await clock.advance(5_000);
    expect(counted('x jobs')).toBe(1);
    expect(counted('y jobs')).toBeGreaterThan(3);
  });
});
