import type { Clock, Instant } from '../clock/clock.ts';
import type { Json } from '../kube/object.ts';
import type { Action } from './decision.ts';
import { digest } from './digest.ts';

/** What is known of an action that was tried. Outcomes are lost on restart: safety never depends on them. */
export type Outcome =
  /** A call came back. */
  | { readonly result: 'done'; readonly at: Instant; readonly since: Instant; readonly value: Json }
  /**
   * The API server or a port said no, and will say no again. `of` is the digest of the action, so that a decision can
   * tell "this very thing was refused" from "something like it was refused once".
   */
  | (Failure & { readonly result: 'refused' })
  /** It did not work, may have taken effect, and is being tried again. */
  | (Failure & { readonly result: 'unavailable' });

interface Failure {
  readonly at: Instant;
  /** When it first ended like this without a success in between. */
  readonly since: Instant;
  readonly of: string;
  readonly message: string;
}

/** By outcome id: for a call its own id, for any other action what it does to which object. */
export type Outcomes = Readonly<Record<string, Outcome>>;

/** Where the outcome of an action is found: `outcomes[outcomeId(action)]`. */
export function outcomeId(action: Action): string {
  switch (action.do) {
    case 'call':
      return action.id;
    case 'apply':
    case 'create': {
      const { apiVersion, kind, metadata } = action.object;
      return `${action.do} ${apiVersion} ${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
    }
    default: {
      const ref = action.do === 'event' ? action.about : action.of;
      return `${action.do} ${ref.apiVersion} ${ref.kind} ${ref.namespace ?? ''}/${ref.name}`;
    }
  }
}

/** Clocks that go on by themselves drift apart by less than this; by more they differ when somebody has set one of them. */
const leapMs = 1_000;

/** With how far the wall clock was ahead of the monotonic one. */
interface Entry {
  readonly outcome: Outcome;
  readonly ahead: number;
}

/** More than a decision can reasonably care about; beyond it the oldest go. */
const mostPerKey = 32;

/**
 * What became of the actions of each key, in memory. Its instants are those of the clock as it is set now: what happened a minute
 * ago is a minute old, whoever has set the clock since.
 */
export class OutcomeBook {
  readonly #clock: Clock;
  readonly #keys = new Map<string, Map<string, Entry>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  of(key: string): Outcomes {
    const entries = this.#keys.get(key);
    if (!entries) return {};
    this.#set(entries);
    return Object.fromEntries([...entries].map(([id, { outcome }]) => [id, outcome]));
  }

  done(key: string, action: Action, value: Json): void {
    const now = this.#clock.now();
    this.#put(key, outcomeId(action), { result: 'done', at: now, since: now, value });
  }

  failed(key: string, action: Action, result: 'refused' | 'unavailable', message: string): void {
    const id = outcomeId(action);
    const before = this.of(key)[id];
    const now = this.#clock.now();
    const since = before?.result === result ? before.since : now;
    this.#put(key, id, { result, at: now, since, of: actionDigest(action), message });
  }

  /** The action worked: whatever went wrong with it before is over. */
  clear(key: string, action: Action): void {
    const outcomes = this.#keys.get(key);
    outcomes?.delete(outcomeId(action));
    if (outcomes?.size === 0) this.#keys.delete(key);
  }

  /** The object is gone. */
  forget(key: string): void {
    this.#keys.delete(key);
  }

  /** Sets the instants by the clock, once for each time that somebody has set it: whoever looks again finds them as they were. */
  #set(entries: Map<string, Entry>): void {
    const now = this.#ahead();
    for (const [id, { outcome, ahead }] of entries) {
      const leap = now - ahead;
      if (Math.abs(leap) <= leapMs) continue;
      entries.set(id, { outcome: { ...outcome, at: outcome.at + leap, since: outcome.since + leap }, ahead: now });
    }
  }

  #ahead(): number {
    return Math.round(this.#clock.now() - this.#clock.monotonic());
  }

  #put(key: string, id: string, outcome: Outcome): void {
    const outcomes = this.#keys.get(key) ?? new Map<string, Entry>();
    this.#keys.set(key, outcomes);
    outcomes.delete(id);
    outcomes.set(id, { outcome, ahead: this.#ahead() });
    if (outcomes.size <= mostPerKey) return;
    for (const oldest of outcomes.keys()) {
      outcomes.delete(oldest);
      return;
    }
  }
}

/**
 * What `Outcome.of` holds for this action. An apply is the same whichever version of the object it was decided on: what is
 * refused for an object that changes all the time is refused still.
 */
export function actionDigest(action: Action): string {
  return digest(action.do === 'apply' ? { ...action, resourceVersion: undefined } : action);
}
