import { KubeError } from '../kube/error.ts';
import { apply } from './actions/apply.ts';
import { call } from './actions/call.ts';
import { create } from './actions/create.ts';
import { type Did, describe, type Hands, Lapsed, Refusal, Stale } from './actions/hands.ts';
import type { Journal } from './actions/journal.ts';
import { patch } from './actions/patch.ts';
import { remove } from './actions/remove.ts';
import { writeStatus } from './actions/write-status.ts';
import type { Action, Decision } from './decision.ts';
import type { OutcomeBook } from './outcome.ts';
import { PortError } from './port.ts';

/** For whom a decision is carried out. */
export interface Errand {
  readonly key: string;
  /** The object that `decide` was asked about. One per run. */
  readonly journal: Journal;
  readonly outcomes: OutcomeBook;
  /** Whether we may still act: the leader lease, by the monotonic clock. Asked before every action. */
  readonly mayAct: () => boolean;
  /** Hears of every action that was carried out, before the next one is begun. */
  readonly onActed?: (action: Action) => void;
  /** Ends the run between and during actions. */
  readonly signal: AbortSignal;
}

/** How carrying out a decision ended. `acted` counts what was sent; what was true already is skipped. */
export type Acted = { readonly acted: number } & (
  | {
      readonly end: 'done';
      /** A call came back: the view has changed, though no watch will tell. */
      readonly news: boolean;
    }
  /** The world is not as the view showed it: observe again. */
  | { readonly end: 'conflict'; readonly message: string }
  /** Somebody said no for good; it is written down as an outcome: decide again. */
  | { readonly end: 'refused'; readonly message: string }
  /** Somebody could not; back off. */
  | { readonly end: 'unavailable'; readonly message: string; readonly retryAfterMs?: number }
  /** The lease is no longer ours, or the signal aborted. */
  | { readonly end: 'stopped'; readonly message: string }
);

/**
 * Carries out a decision: its actions in order, until one fails. Any of them may have been carried out before, by this
 * process or one that died: each finds out, and does nothing twice.
 *
 * Throws only for bugs: an unknown kind or port.
 */
export async function act(decision: Decision, hands: Hands, errand: Errand): Promise<Acted> {
  let acted = 0;
  let tried = 0;
  let news = false;
  for (const action of decision.actions) {
    if (!errand.mayAct()) return { end: 'stopped', acted, message: new Lapsed().message };
    if (errand.signal.aborted) return { end: 'stopped', acted, message: 'there was no time left' };
    if (action.do === 'event') {
      // One word per deed: what was true already has been said already.
      if (acted > 0 || tried === 0) hands.events.record(action);
      continue;
    }
    tried += 1;
    try {
      const did = await perform(action, hands, errand);
      if (action.do !== 'call') errand.outcomes.clear(errand.key, action);
      if (did === 'skipped') continue;
      acted += 1;
      if (action.do === 'call') news = true;
      errand.onActed?.(action);
    } catch (error) {
      return { ...failure(error, action, errand), acted };
    }
  }
  return { end: 'done', acted, news };
}

function perform(
  action: Exclude<Action, { do: 'event' }>,
  hands: Hands,
  { key, journal, signal }: Errand,
): Promise<Did> {
  switch (action.do) {
    case 'status':
      return writeStatus(action, journal, hands, signal);
    case 'apply':
      return apply(action, journal, hands, signal);
    case 'create':
      return create(action, journal, hands, signal);
    case 'patch':
      return patch(action, journal, hands, signal);
    case 'delete':
    case 'evict':
      return remove(action, journal, hands, signal);
    case 'call':
      return call(action, key, journal, hands, signal);
  }
}

type Ended = Acted extends infer A ? (A extends unknown ? Omit<A, 'acted'> : never) : never;

function failure(error: unknown, action: Action, errand: Errand): Ended {
  if (errand.signal.aborted && error === errand.signal.reason) {
    return { end: 'stopped', message: 'there was no time left' };
  }
  if (error instanceof Stale) return { end: 'conflict', message: error.message };
  if (error instanceof Lapsed) return { end: 'stopped', message: error.message };
  if (error instanceof Refusal) return refused(error.message, action, errand);
  if (error instanceof PortError) {
    // The outcome is in the book already, where the call put it.
    return error.kind === 'refused'
      ? { end: 'refused', message: error.message }
      : { end: 'unavailable', message: error.message, ...retryAfter(error) };
  }
  if (error instanceof KubeError) return kubeFailure(error, action, errand);
  throw error;
}

function kubeFailure(error: KubeError, action: Action, errand: Errand): Ended {
  switch (error.kind) {
    case 'conflict':
    case 'gone':
      return { end: 'conflict', message: error.message };
    case 'not-found':
      // What we would change is gone: look again. What we would create has no namespace, or its kind is not served.
      return action.do === 'apply' || action.do === 'create'
        ? refused(error.message, action, errand)
        : { end: 'conflict', message: error.message };
    case 'exists':
    case 'forbidden':
    case 'refused':
      return refused(error.message, action, errand);
    case 'aborted':
      return { end: 'stopped', message: 'there was no time left' };
    case 'unauthorized':
    case 'throttled':
    case 'server':
    case 'unreachable':
    case 'garbled':
      errand.outcomes.failed(errand.key, action, 'unavailable', error.message);
      return { end: 'unavailable', message: error.message, ...retryAfter(error) };
  }
}

function refused(message: string, action: Action, errand: Errand): Ended {
  errand.outcomes.failed(errand.key, action, 'refused', message);
  return { end: 'refused', message };
}

function retryAfter(error: KubeError | PortError): { readonly retryAfterMs?: number } {
  return error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs };
}

/** One line for `--observe-only` and the log. */
export function describeAction(action: Action): string {
  switch (action.do) {
    case 'status':
    case 'patch':
    case 'delete':
    case 'evict':
      return `${action.do} ${describe(action.of)}`;
    case 'apply':
    case 'create':
      return `${action.do} ${describe(action.object)}`;
    case 'event':
      return `event ${action.reason} about ${describe(action.about)}`;
    case 'call':
      return `call ${action.port}.${action.verb} ${action.id}`;
  }
}
