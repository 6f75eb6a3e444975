import type { Execution, InstanceSpec, InstanceStatus } from '../../resources/instance.ts';
import type { OperatorVersion } from '../../resources/operator-version.ts';
import type { Reason } from './rules.ts';

/** What plans work with: a version and values. */
export type Accepted = NonNullable<InstanceStatus['accepted']>;

/** What `spec.planExecution` asks for. */
export type PlanRequest =
  /** Nothing new. */
  | { readonly is: 'none' }
  /** The plan that runs is to end. */
  | { readonly is: 'cancel' }
  /** This plan is to run; with `override` instead of the one that runs now. */
  | { readonly is: 'run'; readonly plan: string; readonly override: boolean };

/** The plan that runs. */
export interface Running {
  readonly plan: string;
  readonly uid: string;
  /** It fails again and again, or has run past its limit: it gives way to a change. */
  readonly yields: boolean;
}

/** Everything that decides what becomes of an Instance as somebody wrote it. */
export interface AdmitView {
  readonly name: { readonly namespace: string; readonly name: string };
  /** What was accepted last. Absent: the Instance is new. */
  readonly before?: Accepted;
  readonly after: InstanceSpec;
  readonly deleting: boolean;
  /** Those that `before` and `after` refer to. Absent: there is none of that name. */
  readonly versions: {
    readonly before?: OperatorVersion;
    readonly after?: OperatorVersion;
    /** The server does not let us read that of `after`: it may well be there. */
    readonly isBarred?: boolean;
  };
  readonly running?: Running;
  readonly request: PlanRequest;
  /** `false`: an installation, an upgrade or a trigger shall restart no pods. A changed parameter keeps its own say. */
  readonly restart?: boolean;
}

/** What becomes of it. */
export type Verdict =
  /** No plan is to run. `accepted`: it changed all the same, in something that no plan is run for. */
  | { readonly is: 'nothing'; readonly accepted?: Accepted }
  | Start
  /** It will start a plan when the one that runs has ended. Nothing is accepted before. */
  | { readonly is: 'waits'; readonly plan: string; readonly changed: readonly string[]; readonly message: string }
  /** The plan that runs is to end, and nothing takes its place. */
  | { readonly is: 'cancel' }
  /** It stays unapplied. The message is for people, with the way out. */
  | { readonly is: 'refused'; readonly reason: Reason; readonly message: string };

export interface Start {
  readonly is: 'start';
  readonly plan: string;
  readonly cause: Execution['cause'];
  /** Parameters whose values differ, sorted. */
  readonly changed: readonly string[];
  /** Whether this cause restarts pods. */
  readonly forced: boolean;
  /** What the plan is to work with; also holds the defaults of immutable parameters, which belong into the spec. */
  readonly accepted: Accepted;
  /** The uid of the execution that it takes the place of. */
  readonly supersedes?: string;
}
