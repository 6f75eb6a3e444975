import type { Subject } from './subject.ts';

/**
 * How a workload is, in one word, the same for every family.
 *
 * - `healthy`: it does what its specification says
 * - `progressing`: it is changing, and gets on by itself
 * - `waiting`: it gets on when a person says so: a promotion by hand, a canary
 * - `paused`: people told the operator to leave it alone
 * - `suspended`: it does not run, as its specification says
 * - `degraded`: it serves, but not what or not as well as it should: an aborted change, an instance that is down
 * - `failed`: it does not serve, or will never get on without a change by a person
 * - `deleting`: it is going
 * - `unknown`: nothing is known of it yet
 */
export const phases = [
  'failed',
  'waiting',
  'degraded',
  'progressing',
  'deleting',
  'paused',
  'unknown',
  'suspended',
  'healthy',
] as const;
export type Phase = (typeof phases)[number];

/** A workload in one line. Made from the object alone, so that a thousand of them cost little. */
export interface Summary {
  readonly subject: Subject;
  readonly phase: Phase;
  /** The family's own word for where it is, which users can search for: `TRANSITIONING_TO_GREEN`. */
  readonly state?: string;
  /** How it is in one sentence: what it waits for, what is wrong. */
  readonly headline: string;
  /** What serves now, in a few words: `blue`, `3 of 3 instances`, `ledger 1.2.0`. `nothing` when nothing does. */
  readonly serving: string;
  /** Something is being redone right now. */
  readonly inTransition: boolean;
  /** Why a person is needed and what they can do; absent when nobody is. */
  readonly needsYou?: string;
  /** Another workload that made this one and speaks for it: such a one is left out of listings. */
  readonly partOf?: { readonly kind: string; readonly name: string };
  /** When the present phase or change began, as far as is known. RFC 3339. */
  readonly since?: string;
  readonly createdAt?: string;
}
