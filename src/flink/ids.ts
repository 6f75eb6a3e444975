import { createHash } from 'node:crypto';

/** What an id is for. Each purpose gives another id for the same attempt. */
export type Purpose = 'job' | 'stop' | 'cancel' | 'savepoint' | 'checkpoint' | 'rescale' | 'dispose' | 'submit';

/**
 * An id as Flink wants them for jobs and triggers: 32 hex digits. It follows from the resource's uid and an attempt
 * counter that is written to status before the effect, so that a repeated effect is recognised as the same one, and no
 * id is ever used for two.
 */
export function flinkId(uid: string, attempt: number, purpose: Purpose): string {
  return createHash('sha256').update(`${uid}/${attempt}/${purpose}`).digest('hex').slice(0, 32);
}
