import { createHash } from 'node:crypto';

/** A UUID that names the n-th execution of an Instance. */
export function executionUid(instanceUid: string, number: number): string {
  return markOf(`${instanceUid}/execution/${number}`);
}

/** A UUID for what has this name, and for nothing else. */
export function markOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  // Version 8: made by a scheme of one's own.
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join('-');
}

/** Whether a uid may be one of ours. */
export function looksLikeExecution(uid: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/.test(uid);
}
