import type { FamilyProblem } from './family.ts';
import type { Subject } from './subject.ts';

/**
 * How much a change costs those who use the workload. The order is that of exit codes:
 *
 * - `none`: nothing differs
 * - `quiet`: something changes, nothing restarts
 * - `restart`: something restarts or is replaced, and it serves all the while
 * - `disruption`: it does not serve for a while, or state is dropped
 */
export const risks = ['none', 'quiet', 'restart', 'disruption'] as const;
export type Risk = (typeof risks)[number];

/** What will happen when a specification changes. The JSON of `cutover plan -o json` is exactly this. */
export interface Plan {
  readonly subject: Subject;
  readonly risk: Risk;
  /** All of it in one line, for admission warnings: `takes a savepoint, then starts green; blue serves until then`. */
  readonly line: string;
  readonly changes: readonly FieldChange[];
  /** What is done, in order. */
  readonly steps: readonly PlannedStep[];
  readonly restarts: readonly PlannedRestart[];
  readonly state: {
    /** `none`: there is no state to speak of. */
    readonly outcome: 'kept' | 'dropped' | 'none' | 'unknown';
    readonly sentence: string;
  };
  readonly availability: {
    readonly serves: 'throughout' | 'reduced' | 'interrupted' | 'unknown';
    readonly sentence: string;
  };
  readonly traffic?: string;
  /** What is needed besides while both old and new are there. */
  readonly extra?: string;
  readonly undo: { readonly possible: boolean; readonly sentence: string };
  /** From how long such changes took before. */
  readonly estimate?: { readonly ms: number; readonly basis: string };
  /** What it waits for before anything of this is done. */
  readonly waitsFor?: string;
  readonly warnings: readonly string[];
  /** Why it is refused; if there are any, nothing of the rest will happen. */
  readonly problems: readonly FamilyProblem[];
}

export interface FieldChange {
  /** `spec.job.parallelism` */
  readonly path: string;
  /** As text; absent when there was nothing. Of a secret `(secret)`. */
  readonly from?: string;
  readonly to?: string;
  /** What this field demands: `scale`, `restart`, `upgrade`; the family's word. */
  readonly demands: string;
}

export interface PlannedStep {
  /**
   * `+` create, `-` remove, `~` change in place, `↻` restart, `-/+` remove then create, `+/-` create then remove, `!` state is
   * dropped, `→` traffic moves, `·` anything else.
   */
  readonly symbol: '+' | '-' | '~' | '↻' | '-/+' | '+/-' | '!' | '→' | '·';
  readonly what: string;
  readonly detail?: string;
  /** How long it took before, on average. */
  readonly usuallyMs?: number;
}

export interface PlannedRestart {
  readonly kind: string;
  readonly name: string;
  /** The pods that are there now and will be replaced. */
  readonly pods: readonly string[];
  readonly because: string;
}

/** A change that somebody thinks of. */
export interface Edit<T> {
  /** The object as it is; absent: it is to be created. */
  readonly before?: T;
  /** As it would be stored. */
  readonly after: T;
}
