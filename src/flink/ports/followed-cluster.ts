import type { Clock } from '../../clock/clock.ts';
import type { Random } from '../../clock/random.ts';
import type { ClusterAddress, Interest, Rest, Trouble } from '../rest.ts';
import type { Answer, Failure } from './ask.ts';
import type { Crowd } from './crowd.ts';
import type { FlinkRest } from './flink-rest.ts';
import { Knowledge } from './knowledge.ts';
import { relevance } from './relevance.ts';
import type { Applicant, Slots } from './slots.ts';

export interface FollowedClusterOptions {
  readonly rest: FlinkRest;
  readonly clock: Clock;
  readonly random: Random;
  /** For requests to clusters that answered last time, and to those that did not: these must not delay the others. */
  readonly slots: { readonly well: Slots; readonly ailing: Slots };
  readonly crowd: Crowd;
  readonly listening: () => boolean;
  readonly wake: (who: string) => void;
}

/** Somebody who looks at the cluster. */
interface Watcher {
  interest: Interest;
  /** When they want to know more, by the monotonic clock. */
  due: number;
  /** Since the round under way began, they asked for more than it asks. */
  again: boolean;
  /** What they were told or woken for last. */
  relevance: string;
  /** When they were woken, if they have not come since. */
  wokenAt: number | undefined;
}

/** What is being asked, and learned from the answers. */
interface Round extends Applicant {
  readonly abort: AbortController;
  readonly learned: Knowledge;
}

/** Who was woken and has not come for so long (because somebody paused them) is asked for no more, until they look again. */
const awaitedMs = 300_000;

/** How soon a cluster that fails is asked again, doubling each time: one that just started, and one that answered before. */
const retryMs = { starting: 100, established: 1_000 };

/** After something happened, more is about to: whoever follows closely is told soon, soon again, and then at their pace. */
const haste = { firstMs: 200, closelyMs: 10_000 };

/**
 * At rest clusters are asked in groups: that much of the interval is between one group and the next. A process that does much
 * at once and then sleeps needs a fraction of the time of one that is woken for each.
 */
const groupPart = 1 / 30;

/**
 * One cluster that somebody looks at: who looks, when it is asked next, and what it said.
 *
 * It is asked in rounds, one at a time, one request after the other: first for its jobs, then for all else. A round ends
 * with the first failure that says something about the cluster as a whole. What it learned is shown when it ends: nobody
 * sees a job that has ended beside checkpoints from before its end.
 */
export class FollowedCluster {
  readonly #options: FollowedClusterOptions;
  readonly #watchers = new Map<string, Watcher>();
  #known: Knowledge;
  #address: ClusterAddress | undefined;
  #incarnation: string | undefined;
  #trouble: Trouble | undefined;
  #failures = 0;
  /** It has answered since its JobManager started. */
  #established = false;
  #retryAt = 0;
  /** The wait after the next round, while something is expected to happen. */
  #soonMs = Number.POSITIVE_INFINITY;
  #round: Round | undefined;
  #cancel: () => void = () => {};

  constructor(options: FollowedClusterOptions) {
    this.#options = options;
    this.#known = new Knowledge(options.clock);
  }

  get deserted(): boolean {
    return this.#watchers.size === 0;
  }

  look(who: string, interest: Interest): Rest {
    const { clock } = this.#options;
    this.#address = interest.cluster;
    if (interest.incarnation !== this.#incarnation) this.#restarted(interest.incarnation, who);
    const now = clock.monotonic();
    const before = this.#watchers.get(who);
    const more = asksMore(before?.interest, interest);
    const rest = this.#told(interest);
    this.#watchers.set(
      who,
      Object.assign(before ?? { due: now, again: false }, {
        interest,
        due: more ? now : Math.min(before?.due ?? now, now + interest.everyMs * 1.1),
        again: more || (before?.again ?? false),
        relevance: relevance(rest, interest),
        wokenAt: undefined,
      }),
    );
    this.#known.keep(this.#interests());
    this.#schedule();
    if (this.#round) for (const slots of Object.values(this.#options.slots)) slots.hurry(this.#round);
    return rest;
  }

  forget(who: string): void {
    this.#watchers.delete(who);
    this.#known.keep(this.#interests());
    if (this.deserted) this.pause();
    else this.#schedule();
  }

  acted(triggerId: string | undefined): void {
    this.#known.acted(triggerId);
    this.#round?.learned.acted(triggerId);
    this.#hurry();
    this.#schedule();
  }

  resume(): void {
    this.#schedule();
  }

  /** No timer and no request runs until somebody looks or listens again. */
  pause(): void {
    this.#options.crowd.follow(this, false);
    this.#cancel();
    this.#round?.abort.abort();
    this.#round = undefined;
  }

  #interests(): Iterable<Interest> {
    return this.#watchers.values().map(({ interest }) => interest);
  }

  /** The JobManager that answered is gone, and perhaps another is there. */
  #restarted(incarnation: string | undefined, noticedBy: string): void {
    this.pause();
    this.#incarnation = incarnation;
    this.#trouble = undefined;
    this.#failures = 0;
    this.#established = false;
    this.#known.restarted(incarnation !== undefined);
    this.#hurry();
    this.#wakeConcerned(noticedBy);
  }

  #hurry(): void {
    this.#soonMs = haste.firstMs;
    const due = this.#options.clock.monotonic();
    for (const watcher of this.#watchers.values()) Object.assign(watcher, { due, again: true });
  }

  #told(interest: Interest): Rest {
    const asked = this.#incarnation !== undefined;
    return { asked, trouble: this.#trouble, ...this.#known.told(interest) };
  }

  #schedule(): void {
    const { clock, crowd, listening } = this.#options;
    this.#cancel();
    crowd.follow(this, this.#incarnation !== undefined && this.#awaited().some(isClose));
    if (this.#round || this.#awaited().length === 0 || this.#incarnation === undefined || !listening()) return;
    let at = this.#failures > 0 ? this.#retryAt : Number.POSITIVE_INFINITY;
    if (this.#failures === 0) for (const { due } of this.#awaited()) at = Math.min(at, due);
    if (at === Number.POSITIVE_INFINITY) return;
    this.#cancel = clock.after(at - clock.monotonic(), () => void this.#begin());
  }

  async #begin(): Promise<void> {
    const isHasty = (): boolean => this.#awaited().some(isClose);
    const round: Round = {
      abort: new AbortController(),
      learned: this.#known.copy(),
      get hasty() {
        return isHasty();
      },
    };
    this.#round = round;
    const watchers = this.#dueSoon();
    const failure = await this.#ask(watchers, round);
    // Whatever an aborted round learned is of a JobManager that is gone, or wanted by nobody.
    if (this.#round !== round) return;
    this.#round = undefined;
    this.#known = round.learned;
    this.#known.keep(this.#interests());
    const jitter = 0.9 + 0.2 * this.#options.random.next();
    if (failure) this.#failed(failure, jitter);
    else this.#answered(watchers, jitter);
    this.#wakeConcerned();
    this.#schedule();
  }

  #awaited(): readonly Watcher[] {
    const since = this.#options.clock.monotonic() - awaitedMs;
    return [...this.#watchers.values()].filter(({ wokenAt }) => wokenAt === undefined || wokenAt > since);
  }

  /**
   * Those whose time has come, and those for whom it will soon, so that all who look at one cluster fall into step. Who
   * follows closely is part of every round: what they know of their job is then as new as the state of the job.
   */
  #dueSoon(): Set<Watcher> {
    const now = this.#options.clock.monotonic();
    const soon = this.#awaited().filter(({ due, interest: { everyMs } }) => {
      return everyMs < haste.closelyMs || due - now <= everyMs / 2;
    });
    for (const watcher of soon) watcher.again = false;
    return new Set(soon);
  }

  #answered(watchers: Iterable<Watcher>, jitter: number): void {
    const now = this.#options.clock.monotonic();
    for (const watcher of watchers) {
      if (watcher.again) continue;
      const due = inGroup(now, this.#wait(watcher.interest) * jitter, watcher.interest);
      watcher.due = Math.min(due, this.#known.settlesAt(watcher.interest) ?? due);
    }
    this.#soonMs *= 2;
    this.#trouble = undefined;
    this.#failures = 0;
    this.#established = true;
  }

  #wait({ everyMs }: Interest): number {
    if (everyMs >= haste.closelyMs) return everyMs;
    return Math.min(everyMs, this.#soonMs) * this.#options.crowd.stretch;
  }

  #failed(failure: Failure, jitter: number): void {
    const { clock, crowd } = this.#options;
    const first = this.#established ? retryMs.established : retryMs.starting;
    const longest = Math.min(...[...this.#watchers.values()].map(({ interest }) => interest.everyMs));
    const wait = Math.min(first * 2 ** Math.min(this.#failures, 30), longest) * crowd.stretch;
    this.#failures += 1;
    this.#retryAt = clock.monotonic() + wait * jitter;
    const since = this.#trouble?.since ?? clock.now();
    this.#trouble = { kind: failure.kind, message: failure.message, since, at: clock.now() };
  }

  #wakeConcerned(except?: string): void {
    for (const [who, watcher] of this.#watchers) {
      if (who === except) continue;
      const now = relevance(this.#told(watcher.interest), watcher.interest);
      if (now === watcher.relevance) continue;
      watcher.relevance = now;
      watcher.wokenAt ??= this.#options.clock.monotonic();
      this.#options.wake(who);
    }
  }

  /** One round. `undefined` when everything was answered, be it with a no. */
  async #ask(watchers: Set<Watcher>, round: Round): Promise<Failure | undefined> {
    const { rest, slots } = this.#options;
    const { learned: known } = round;
    const { signal } = round.abort;
    const cluster = this.#address as ClusterAddress;
    const request = async <T>(send: () => Promise<Answer<T>>): Promise<Answer<T> | undefined> => {
      const answer = await (this.#failures > 0 ? slots.ailing : slots.well).run(round, async () =>
        signal.aborted ? undefined : send(),
      );
      return signal.aborted ? undefined : answer;
    };

    const jobs = await request(() => rest.jobs(cluster, signal));
    if (!jobs?.ok) return jobs?.failure;
    const changed = known.heardJobs(jobs.value);
    // Whose job is not what it was wants to know all about it, now.
    for (const watcher of this.#watchers.values()) if (changed.has(watcher.interest.jobId)) watchers.add(watcher);

    for (const question of known.open([...watchers].map(({ interest }) => interest))) {
      const answer = await request(() => question.ask(rest, cluster, signal));
      if (!answer) return undefined;
      // A no is an answer: it is about this question, not about the cluster.
      if (!answer.ok && answer.failure.kind !== 'refused') return answer.failure;
      question.heard(answer.ok ? answer.value : undefined);
    }
    return undefined;
  }
}

function isClose({ interest }: Watcher): boolean {
  return interest.everyMs < haste.closelyMs;
}

/** An instant at which many are asked, hardly later than after `wait`. Whoever follows closely waits for nobody. */
function inGroup(now: number, wait: number, { everyMs }: Interest): number {
  if (everyMs < haste.closelyMs) return now + wait;
  const step = everyMs * groupPart;
  const at = Math.ceil((now + wait) / step) * step;
  return at - now > everyMs * 1.1 ? at - step : at;
}

/** Whether there is something to ask that was not asked before. */
function asksMore(before: Interest | undefined, after: Interest): boolean {
  if (!before || before.jobId !== after.jobId) return true;
  const wanted = [...before.wants, ...(before.background ?? [])];
  const wants = [...after.wants, ...(after.background ?? [])];
  return (
    wants.some((want) => !wanted.includes(want)) ||
    after.operations.some(({ id }) => !before.operations.some((one) => one.id === id))
  );
}
