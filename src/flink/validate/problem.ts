/** Why a resource cannot be accepted. */
export interface Problem {
  /** `spec.job.parallelism` */
  readonly field: string;
  /** The rule that it breaks, for tests and docs: `job-parallelism`. */
  readonly rule: string;
  /** What is wrong, with the value, why, and what to write instead. */
  readonly message: string;
}
