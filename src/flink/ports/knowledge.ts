import type { Clock } from '../../clock/clock.ts';
import {
  type ClusterAddress,
  type Interest,
  type JobOverview,
  type JobTold,
  type Operation,
  type Rest,
  type Told,
  terminal,
} from '../rest.ts';
import type { Answer } from './ask.ts';
import type { FlinkRest } from './flink-rest.ts';

/** Something to ask, and what to do with the answer: `undefined` when Flink said no. */
export interface Question {
  ask(rest: FlinkRest, cluster: ClusterAddress, signal: AbortSignal): Promise<Answer<unknown>>;
  heard(value: unknown): void;
}

type JobItem = keyof JobTold;

const jobItems = ['checkpoints', 'exceptions', 'failure', 'metrics', 'requirements'] as const;
const nothing: JobTold = {
  checkpoints: undefined,
  exceptions: undefined,
  failure: undefined,
  metrics: undefined,
  requirements: undefined,
};

interface JobRecord {
  readonly told: JobTold;
  /** What was told since the job looks as it does, by a Flink that had noticed: it stays true as long as the job does so. */
  readonly settled: ReadonlySet<JobItem>;
}

/** What Flink says of a job in the list of all. While that stays the same, neither the job nor any of its tasks has moved. */
interface Looks {
  readonly state: JobOverview['state'];
  readonly changedAt: JobOverview['changedAt'];
  /** When it was first seen so, by the monotonic clock. */
  readonly since: number;
}

/** What all who look at a job want to know of it, and for how long Flink may repeat what it said before. */
interface Wanted {
  readonly wants: ReadonlySet<string>;
  readonly repeatsMs: number;
}

/** How often TaskManagers are counted, at most. */
const countMs = 10_000;
/** They come and go with the tasks of jobs, which they outlive for a while. */
const lingerMs = 60_000;
/** What changes only along with the job is asked for so often all the same. */
const rarelyMs = 300_000;

/**
 * What one cluster has said, and what there is left to ask.
 *
 * A JobManager that restarts takes with it what it said, except what stays true: how an operation ended. While nobody can
 * be asked, the last checkpoints that were told are still the last ones known.
 */
export class Knowledge {
  readonly #clock: Clock;
  #jobs: Told<readonly JobOverview[]> | undefined;
  #version: Rest['version'];
  #taskManagers: Rest['taskManagers'];
  readonly #looks = new Map<string, Looks>();
  readonly #records = new Map<string, JobRecord>();
  readonly #operations = new Map<string, Told<Operation>>();
  /** Counts what was asked of the cluster meanwhile. */
  #acts = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The same again, to be added to while this stays as it is. */
  copy(): Knowledge {
    const copy = new Knowledge(this.#clock);
    copy.#jobs = this.#jobs;
    copy.#version = this.#version;
    copy.#taskManagers = this.#taskManagers;
    copy.#acts = this.#acts;
    for (const [id, looks] of this.#looks) copy.#looks.set(id, looks);
    for (const [id, record] of this.#records) copy.#records.set(id, record);
    for (const [id, outcome] of this.#operations) copy.#operations.set(id, outcome);
    return copy;
  }

  told({ jobId, operations }: Interest): Omit<Rest, 'asked' | 'trouble'> {
    const outcomes = operations.flatMap(({ id }) => {
      const outcome = this.#operations.get(id);
      return outcome ? [[id, outcome] as const] : [];
    });
    return {
      jobs: this.#jobs,
      version: this.#version,
      taskManagers: this.#taskManagers,
      job: (jobId === undefined ? undefined : this.#records.get(jobId)?.told) ?? nothing,
      operations: Object.fromEntries(outcomes),
    };
  }

  /** Drops what none of these is about. */
  keep(interests: Iterable<Interest>): void {
    const all = [...interests];
    const jobs = new Set(all.map(({ jobId }) => jobId));
    for (const id of this.#records.keys()) if (!jobs.has(id)) this.#records.delete(id);
    if (this.#operations.size === 0) return;
    const ids = new Set(all.flatMap(({ operations }) => operations.map(({ id }) => id)));
    for (const id of this.#operations.keys()) if (!ids.has(id)) this.#operations.delete(id);
  }

  restarted(another: boolean): void {
    this.#jobs = undefined;
    this.#version = undefined;
    this.#taskManagers = undefined;
    this.#looks.clear();
    for (const [id, { value }] of this.#operations) if (!concluded(value)) this.#operations.delete(id);
    for (const [id, { told }] of this.#records) {
      if (another || !told.checkpoints) this.#records.delete(id);
      else this.#records.set(id, { told: { ...nothing, checkpoints: told.checkpoints }, settled: new Set() });
    }
  }

  /** That a trigger is not known may have been said before it was sent. */
  acted(triggerId: string | undefined): void {
    this.#acts += 1;
    const before = triggerId === undefined ? undefined : this.#operations.get(triggerId);
    if (before?.value.is === 'unknown') this.#operations.delete(triggerId as string);
  }

  /** Takes note of all jobs. Returns the ids of those that have changed, appeared or gone. */
  heardJobs(value: readonly JobOverview[]): ReadonlySet<string | undefined> {
    const at = this.#clock.now();
    const gone = new Set(this.#looks.keys());
    const changed = new Set<string | undefined>();
    for (const { id, state, changedAt } of value) {
      const before = this.#looks.get(id);
      if (before?.state !== state) changed.add(id);
      gone.delete(id);
      if (before && isSame(before, state, changedAt)) {
        this.#confirm(id, at);
        continue;
      }
      this.#looks.set(id, { state, changedAt, since: this.#clock.monotonic() });
      const record = this.#records.get(id);
      if (record) this.#records.set(id, { ...record, settled: new Set() });
    }
    for (const id of gone) {
      changed.add(id);
      this.#looks.delete(id);
      this.#records.delete(id);
    }
    this.#jobs = { at, value };
    return changed;
  }

  /**
   * When, by the monotonic clock, it is worth asking again for what Flink said too soon after the job ended; `undefined`
   * when there is nothing of that kind.
   */
  settlesAt({ jobId = '', wants, background = [], repeatsMs }: Interest): number | undefined {
    const looks = this.#looks.get(jobId);
    if (!looks || !terminal(looks.state)) return undefined;
    const settled = this.#records.get(jobId)?.settled;
    const open = [...wants, ...background].some((want) => want === 'checkpoints' && !settled?.has(want));
    const at = looks.since + repeatsMs;
    return open && at > this.#clock.monotonic() ? at : undefined;
  }

  /** What is left to ask for these, operations first: what is known of checkpoints is then never older than they are. */
  open(interests: readonly Interest[]): readonly Question[] {
    const operations = new Map(
      interests.flatMap((one) => one.operations.map((operation) => [operation.id, operation])),
    );
    const asked = [...operations.values()].filter(({ id }) => !concluded(this.#operations.get(id)?.value));
    const wanted = new Map<string, Wanted>();
    for (const { jobId, wants, background = [], repeatsMs } of interests) {
      if (jobId === undefined) continue;
      const before = wanted.get(jobId);
      wanted.set(jobId, {
        wants: new Set([...(before?.wants ?? []), ...wants, ...background]),
        repeatsMs: Math.max(before?.repeatsMs ?? 0, repeatsMs),
      });
    }
    const informed = interests.filter(({ wants, background }) =>
      [...wants, ...(background ?? [])].includes('cluster info'),
    );
    return [
      ...asked.map((operation) => this.#operation(operation)),
      ...[...wanted].flatMap(([jobId, wanted]) => this.#job(jobId, wanted)),
      ...(informed.length > 0 ? this.#info(informed.some(({ jobId }) => this.#isUp(jobId))) : []),
    ];
  }

  /** Whether Flink is past its start, as far as that job tells: before, questions are answered by errors in users' logs. */
  #isUp(jobId: string | undefined): boolean {
    if (jobId === undefined) return true;
    const state = this.#looks.get(jobId)?.state;
    return state !== undefined && state !== 'INITIALIZING';
  }

  #operation(operation: Interest['operations'][number]): Question {
    let acts = 0;
    return {
      ask: (rest, cluster, signal) => {
        acts = this.#acts;
        return rest.operation(cluster, operation, signal);
      },
      heard: (value) => {
        const outcome = value as Operation | undefined;
        const tooEarly = outcome?.is === 'unknown' && acts !== this.#acts;
        if (outcome && !tooEarly) this.#operations.set(operation.id, this.#now(outcome));
      },
    };
  }

  #job(jobId: string, { wants, repeatsMs }: Wanted): readonly Question[] {
    const looks = this.#looks.get(jobId);
    if (!looks) return [];
    const { state, since } = looks;
    return jobItems
      .filter((item) => wants.has(item) && !this.#isSettled(jobId, item, state))
      .filter((item) => item !== 'failure' || state === 'FAILED')
      .filter((item) => item !== 'checkpoints' || this.#isUp(jobId))
      .map((item) => {
        let settles = false;
        return {
          ask: (rest, cluster, signal) => {
            settles = this.#clock.monotonic() - since >= repeatsMs;
            return rest.job(cluster, jobId, item, signal);
          },
          heard: (value) => {
            // These may be from before the end, and whoever went on from them would lose what came after.
            if (item === 'checkpoints' && terminal(state) && !settles) return;
            const { told = nothing, settled = new Set<JobItem>() } = this.#records.get(jobId) ?? {};
            const answer = value === undefined ? undefined : { at: this.#clock.now(), value };
            this.#records.set(jobId, {
              told: { ...told, [item]: answer },
              settled: settles && answer ? new Set([...settled, item]) : settled,
            });
          },
        };
      });
  }

  /** Of a job that has ended nothing changes any more; of one that lives, exceptions come only with its changes. */
  #isSettled(jobId: string, item: JobItem, state: JobOverview['state']): boolean {
    const record = this.#records.get(jobId);
    if (!record?.settled.has(item)) return false;
    return terminal(state) || (item === 'exceptions' && this.#isRecent(record.told[item]));
  }

  #isRecent(told: Told<unknown> | undefined, withinMs = rarelyMs): boolean {
    const age = told && this.#clock.now() - told.at;
    return age !== undefined && age >= 0 && age < withinMs;
  }

  #info(isUp: boolean): readonly Question[] {
    const version: Question = {
      ask: (rest, cluster, signal) => rest.version(cluster, signal),
      heard: (value) => {
        this.#version = value === undefined ? undefined : this.#now(value as NonNullable<Rest['version']>['value']);
      },
    };
    const taskManagers: Question = {
      ask: (rest, cluster, signal) => rest.taskManagers(cluster, signal),
      heard: (value) => {
        this.#taskManagers = value === undefined ? undefined : this.#now(value as number);
      },
    };
    const counted = this.#isRecent(this.#taskManagers, this.#isQuiet() ? rarelyMs : countMs);
    return [...(this.#version ? [] : [version]), ...(counted || !isUp ? [] : [taskManagers])];
  }

  /** No job has changed for so long that TaskManagers are as they were when they were counted last. */
  #isQuiet(): boolean {
    const since = this.#clock.monotonic() - lingerMs;
    return this.#looks.values().every((looks) => looks.since < since);
  }

  /** A job that has ended says for ever what it said after its end. */
  #confirm(jobId: string, at: number): void {
    const record = this.#records.get(jobId);
    if (!record || record.settled.size === 0 || !terminal(this.#looks.get(jobId)?.state)) return;
    const { told, settled } = record;
    const again = [...settled].flatMap((item) => {
      const answer = told[item];
      return answer ? [[item, { ...answer, at }]] : [];
    });
    this.#records.set(jobId, { told: { ...told, ...Object.fromEntries(again) }, settled });
  }

  #now<T>(value: T): Told<T> {
    return { at: this.#clock.now(), value };
  }
}

/** What ended stays ended, whoever asks whom. */
function concluded(operation: Operation | undefined): boolean {
  return operation?.is === 'done' || operation?.is === 'failed';
}

/** Whether the job looks as before. A Flink that does not say when a job changed may mean anything, unless it has ended. */
function isSame(before: Looks, state: JobOverview['state'], changedAt: JobOverview['changedAt']): boolean {
  if (before.state !== state) return false;
  return terminal(state) || (changedAt !== undefined && before.changedAt === changedAt);
}
