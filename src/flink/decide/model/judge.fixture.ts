import type { Status } from '../status.ts';

/** Whether a status is JSON: it survives being written and read. */
export function isPlainStatus(status: unknown): boolean {
  return JSON.stringify(JSON.parse(JSON.stringify(status))) === JSON.stringify(status);
}

/** All job ids that a status knows of. */
export function jobIdsOf(status: Status | undefined): (string | undefined)[] {
  return [status?.jobStatus?.jobId, status?.transition?.stop.jobId, status?.transition?.jobId];
}
