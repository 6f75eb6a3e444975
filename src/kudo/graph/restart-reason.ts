import type { Rollout } from './workload.ts';

/** Something that changes and that pods use, or are made of. */
export interface Cause {
  /** Empty: no parameter did it, but another version of the package. */
  readonly parameters: readonly string[];
  readonly object: { readonly kind: string; readonly name: string };
  /** Keys of a ConfigMap or Secret; of other objects, fields. */
  readonly what: readonly string[];
}

/** Whether the pods of one workload restart, and why. */
export interface RestartReason {
  readonly workload: { readonly kind: string; readonly name: string };
  readonly restarts: boolean;
  /**
   * - `template-changed`: their template itself changes, so Kubernetes replaces them whatever the flags say;
   * - `dependency-changed`: `restartPolicy: onDependencyChange`, and a ConfigMap or Secret that they use changes;
   * - `forced`: `restartPolicy: always`, and a changed parameter demands it;
   * - `none`: they go on.
   */
  readonly reason: 'template-changed' | 'dependency-changed' | 'forced' | 'none';
  /** What changes in what they are made of, then in what they use. Also if that does not restart them. */
  readonly causes: readonly Cause[];
  /** For people: parameter, file or key, object and workload. Never a value. */
  readonly sentence: string;
}

/** What is known of a workload before it is put into words. */
export interface Finding extends Omit<RestartReason, 'sentence'> {
  readonly fate: 'kept' | 'created' | 'deleted';
  readonly rollout: Rollout;
  readonly forced: boolean;
  /** The changed parameters that demand a restart. */
  readonly demanding: readonly string[];
  readonly policy: 'always' | 'onDependencyChange';
  /** Causes in the pod template, in what pods use, and anywhere else in the workload. */
  readonly template: readonly Cause[];
  readonly used: readonly Cause[];
  readonly elsewhere: readonly Cause[];
}
