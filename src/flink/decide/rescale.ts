import type { JobCase, JobHolder } from './job-case.ts';
import type { Status } from './status.ts';
import type { Effect, Step } from './step.ts';

/** Rescales without a restart, where that is possible. */
export function rescale(_c: JobCase, _recorded: JobHolder, _events: readonly Effect[]): Step<Status> | undefined {
  return undefined;
}
