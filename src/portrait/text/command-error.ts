/** Exit codes, the same for all commands. */
export const exitCodes = {
  /** It was refused, or a plan that was waited for did not complete. */
  failed: 1,
  /** `--wait` or `plan wait` ran out of time; the plan may still complete. */
  timedOut: 2,
} as const;

/** A failure that a person can act on: one line that says what, where, why and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failed, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
