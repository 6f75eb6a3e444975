import * as z from 'zod';
import type { CheckpointSeen, Checkpoints } from '../../rest.ts';

/** What Flink writes instead of a path when there is none. */
const notAddressable = '<checkpoint-not-externally-addressable>';

const externalPath = z
  .string()
  .nullish()
  .transform((path) => (path === notAddressable || path === '' ? undefined : (path ?? undefined)));

const completed = z
  .object({
    id: z.int(),
    trigger_timestamp: z.number(),
    state_size: z.number(),
    external_path: externalPath,
    discarded: z.boolean().nullish(),
  })
  .transform(({ id, trigger_timestamp: triggeredAt, state_size: sizeBytes, external_path: path, discarded }) => ({
    seen: { id, path, triggeredAt, sizeBytes },
    discarded: discarded ?? false,
  }));

const restored = z
  .object({ id: z.int(), restore_timestamp: z.number(), external_path: externalPath })
  .transform(({ id, restore_timestamp: triggeredAt, external_path: path }) => ({
    id,
    path,
    triggeredAt,
    sizeBytes: 0,
  }));

const entry = z.object({ id: z.int(), status: z.string(), trigger_timestamp: z.number() });

/**
 * `GET /jobs/:jobid/checkpoints`. A checkpoint that Flink has thrown away (it does so when a job ends for good) is no state
 * any more: it is never the last one, whatever its id.
 */
export const checkpoints = z
  .object({
    counts: z.object({ completed: z.int(), failed: z.int() }),
    latest: z.object({ completed: completed.nullish(), savepoint: completed.nullish(), restored: restored.nullish() }),
    history: z.array(entry),
  })
  .transform(({ counts, latest, history }): Checkpoints => {
    const kept = [latest.completed, latest.savepoint].filter((one) => one && !one.discarded).map((one) => one?.seen);
    const running = history.find(({ status }) => status === 'IN_PROGRESS');
    return {
      last: newest([...kept, latest.restored ?? undefined]),
      lastCompleted: latest.completed?.seen,
      lastSavepoint: latest.savepoint?.seen,
      inProgress: running && { id: running.id, triggeredAt: running.trigger_timestamp },
      counts: { completed: counts.completed, failed: counts.failed },
    };
  });

/** What is known of a job that takes no checkpoints. */
export const noCheckpoints: Checkpoints = {
  last: undefined,
  lastCompleted: undefined,
  lastSavepoint: undefined,
  inProgress: undefined,
  counts: { completed: 0, failed: 0 },
};

/** `GET /jobs/:jobid/checkpoints/details/:checkpointid`: where it lies. */
export const checkpointPath = z
  .object({ id: z.int(), external_path: externalPath })
  .transform(({ id, external_path: path }) => ({ id, path }));

function newest(seen: readonly (CheckpointSeen | undefined)[]): CheckpointSeen | undefined {
  return seen.reduce((a, b) => (b && (!a || b.id > a.id) ? b : a), undefined);
}
