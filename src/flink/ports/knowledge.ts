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
  /** What was told after the job had ended: it cannot change any more, and is as true as what is told now. */
  readonly final: ReadonlySet<JobItem>;
}

/** How often TaskManagers are counted, at most. */
const countMs = 10_000;

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
    for (const [id, { value }] of this.#operations) if (!concluded(value)) this.#operations.delete(id);
    for (const [id, { told }] of this.#records) {
      if (another || !told.checkpoints) this.#records.delete(id);
      else this.#records.set(id, { told: { ...nothing, checkpoints: told.checkpoints }, final: new Set() });
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
    const before = new Map(this.#jobs?.value.map(({ id, state }) => [id, state]));
    const changed = new Set<string | undefined>();
    for (const { id, state } of value) {
      if (before.get(id) !== state) changed.add(id);
      before.delete(id);
      this.#confirm(id, state, at);
    }
    for (const id of before.keys()) {
      changed.add(id);
      this.#records.delete(id);
    }
    this.#jobs = { at, value };
    return changed;
  }

  /** What is left to ask for these, operations first: what is known of checkpoints is then never older than they are. */
  open(interests: readonly Interest[]): readonly Question[] {
    const operations = new Map(
      interests.flatMap((one) => one.operations.map((operation) => [operation.id, operation])),
    );
    const asked = [...operations.values()].filter(({ id }) => !concluded(this.#operations.get(id)?.value));
    const wanted = new Map<string, Set<string>>();
    for (const { jobId, wants, background = [] } of interests) {
      if (jobId === undefined) continue;
      const those = wanted.get(jobId) ?? new Set();
      for (const want of [...wants, ...background]) those.add(want);
      wanted.set(jobId, those);
    }
    const informed = interests.filter(({ wants, background }) =>
      [...wants, ...(background ?? [])].includes('cluster info'),
    );
    return [
      ...asked.map((operation) => this.#operation(operation)),
      ...[...wanted].flatMap(([jobId, wants]) => this.#job(jobId, wants)),
      ...(informed.length > 0 ? this.#info(informed.some(({ jobId }) => this.#isUp(jobId))) : []),
    ];
  }

  /** Whether Flink is past its start, as far as that job tells: before, questions are answered by errors in users' logs. */
  #isUp(jobId: string | undefined): boolean {
    if (jobId === undefined) return true;
    const state = this.#stateOf(jobId);
    return state !== undefined && state !== 'INITIALIZING';
  }

  #stateOf(jobId: string): JobOverview['state'] | undefined {
    return this.#jobs?.value.find(({ id }) => id === jobId)?.state;
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

  #job(jobId: string, wants: ReadonlySet<string>): readonly Question[] {
    const state = this.#stateOf(jobId);
    if (state === undefined) return [];
    const final = this.#records.get(jobId)?.final;
    return jobItems
      .filter((item) => wants.has(item) && !final?.has(item))
      .filter((item) => item !== 'failure' || state === 'FAILED')
      .filter((item) => item !== 'checkpoints' || this.#isUp(jobId))
      .map((item) => ({
        ask: (rest, cluster, signal) => rest.job(cluster, jobId, item, signal),
        heard: (value) => {
          const { told = nothing, final = new Set<JobItem>() } = this.#records.get(jobId) ?? {};
          const answer = value === undefined ? undefined : this.#now(value);
          const ended = terminal(state) && answer !== undefined;
          this.#records.set(jobId, {
            told: { ...told, [item]: answer },
            final: ended ? new Set([...final, item]) : final,
          });
        },
      }));
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
    const age = this.#taskManagers && this.#clock.now() - this.#taskManagers.at;
    const counted = age !== undefined && age >= 0 && age < countMs;
    return [...(this.#version ? [] : [version]), ...(counted || !isUp ? [] : [taskManagers])];
  }

  /** A job that has ended says for ever what it said after its end; one that runs again is another matter. */
  #confirm(jobId: string, state: string, at: number): void {
    const record = this.#records.get(jobId);
    if (!record || record.final.size === 0) return;
    const { told, final } = record;
    if (!terminal(state)) {
      this.#records.set(jobId, { told, final: new Set() });
      return;
    }
    const again = [...final].flatMap((item) => {
      const answer = told[item];
      return answer ? [[item, { ...answer, at }]] : [];
    });
    this.#records.set(jobId, { told: { ...told, ...Object.fromEntries(again) }, final });
  }

  #now<T>(value: T): Told<T> {
    return { at: this.#clock.now(), value };
  }
}

/** What ended stays ended, whoever asks whom. */
function concluded(operation: Operation | undefined): boolean {
  return operation?.is === 'done' || operation?.is === 'failed';
}
