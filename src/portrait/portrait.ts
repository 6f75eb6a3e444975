import type { FieldChange } from './plan.ts';
import type { Phase, Summary } from './summary.ts';

/**
 * Everything that a person wants to see of a workload, whatever its family: plain data, made by the family from what is known
 * of the cluster, and shown by command line and dashboard. All times are RFC 3339. No value of a Secret is ever in it.
 */
export interface Portrait extends Summary {
  readonly answers: Answers;
  /** What is being changed, or was changed last, and who asked for it. */
  readonly cause?: Cause;
  /** What exists side by side: blue and green, the old and the new revision, an Instance's present plan. The serving one first. */
  readonly sides: readonly Side[];
  /** What the present change goes through, in order; of the last change when nothing is changing. */
  readonly steps: readonly Step[];
  /** When something happens by itself, the nearest first. */
  readonly deadlines: readonly Deadline[];
  /** The states that it can be in, with the present one marked. */
  readonly machine?: Machine;
  /** The object and all that it made, down to pods. */
  readonly tree: TreeNode;
  readonly pods: readonly PodPortrait[];
  /** What else a person on call asks about: versions, state that was kept, addresses. */
  readonly facts: readonly Fact[];
  readonly conditions: readonly ConditionLine[];
  /** The last changes, the newest first. */
  readonly history: readonly PastChange[];
}

/** What whoever opens a terminal during a change wants to know. One or two sentences each, never empty. */
export interface Answers {
  /** What serves now? */
  readonly serves: string;
  /** What is changing, and why? */
  readonly changing: string;
  /** How far is it? */
  readonly progress: string;
  /** What happens if I stop it? */
  readonly ifStopped: string;
  /** What do I do next? */
  readonly next: string;
}

export interface Cause {
  /** The family's word: `spec-change`, `statelessRedeployNonce`, `parameters`. */
  readonly kind: string;
  readonly because: string;
  /** Field by field, where that is known. `from` is absent also where nobody knows what it was. */
  readonly changes: readonly FieldChange[];
  readonly generation?: number;
  readonly since?: string;
}

export interface Side {
  /** `blue`, `green`, `revision 12` */
  readonly name: string;
  /**
   * - `serving`: it has the traffic
   * - `next`: it is being made
   * - `old`: it had the traffic, and is kept for a while
   * - `idle`: it is there and does nothing
   */
  readonly role: 'serving' | 'next' | 'old' | 'idle';
  readonly phase: Phase;
  /** `RUNNING`, `2 of 3 ready` */
  readonly state: string;
  readonly facts: readonly Fact[];
}

export interface Step {
  /** The family's word: `savepointing`, `deploy/node/app`. */
  readonly name: string;
  /** For a person: `Take a savepoint of blue`. */
  readonly title: string;
  readonly status: 'done' | 'current' | 'pending' | 'failed' | 'skipped';
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly info?: string;
}

export interface Deadline {
  /** What happens then: `green is given up`. */
  readonly what: string;
  readonly at: string;
}

export interface Machine {
  readonly states: readonly { readonly name: string; readonly current: boolean }[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly label?: string }[];
}

export interface TreeNode {
  readonly kind: string;
  readonly name: string;
  readonly phase: Phase;
  /** `Running`, `2/2 ready` */
  readonly status: string;
  readonly createdAt?: string;
  readonly info?: string;
  readonly children: readonly TreeNode[];
}

export interface PodPortrait {
  readonly name: string;
  /** The side that it belongs to. */
  readonly side?: string;
  readonly phase: Phase;
  readonly status: string;
  readonly ready: boolean;
  /** How often its containers restarted by themselves. */
  readonly restarts: number;
  readonly containers: readonly string[];
  readonly createdAt?: string;
  /** Why it was made or restarted, and why it will be; the newest first. */
  readonly reasons: readonly PodReason[];
}

export interface PodReason {
  readonly when: 'did' | 'will';
  readonly sentence: string;
  readonly at?: string;
}

export interface Fact {
  readonly label: string;
  readonly value: string;
}

export interface ConditionLine {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly since?: string;
}

export interface PastChange {
  readonly id: string;
  /** `blue → green`, `plan deploy`, `app-rev 4` */
  readonly what: string;
  readonly because: string;
  /** The family's word: `promoted`, `COMPLETE`. */
  readonly outcome: string;
  /** Whether it ended as it was meant to. */
  readonly good: boolean;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly steps: readonly { readonly name: string; readonly startedAt: string }[];
  /** What came of it for state: `started from s3://…`. */
  readonly info?: string;
}
