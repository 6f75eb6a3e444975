import { type CheckpointRecord, notAddressable } from '../checkpoints.ts';
import { vertexIds } from './job-details-view.ts';
import type { JobView } from './job-view.ts';

const [canonicalSize, nativeSize] = [1425, 4189];

const sizeOf = ({ status, format }: CheckpointRecord): number =>
  status !== 'COMPLETED' ? 0 : format === 'CANONICAL' ? canonicalSize : nativeSize;

/** One checkpoint or savepoint, in the history and by itself. */
export function recordView(record: CheckpointRecord, parallelism: number): Record<string, unknown> {
  const { id, kind, format, status, triggeredAt, durationMs, path, message, discarded } = record;
  const size = sizeOf(record);
  const subtasks = 2 * parallelism;
  const done = status === 'COMPLETED';
  return {
    className: status.toLowerCase(),
    id,
    status,
    is_savepoint: kind !== 'CHECKPOINT',
    savepointFormat: format,
    trigger_timestamp: triggeredAt,
    latest_ack_timestamp: done ? triggeredAt + durationMs : -1,
    checkpointed_size: size,
    state_size: size,
    end_to_end_duration: durationMs,
    alignment_buffered: 0,
    processed_data: 0,
    persisted_data: 0,
    num_subtasks: subtasks,
    num_acknowledged_subtasks: done ? subtasks : 0,
    checkpoint_type: kind,
    tasks: {},
    ...(done && { external_path: path ?? notAddressable, discarded }),
    ...(status === 'FAILED' && { failure_timestamp: triggeredAt + durationMs, failure_message: message ?? '' }),
  };
}

/** `/jobs/:jobid/checkpoints/details/:id`: with its vertices. */
export function recordDetails(record: CheckpointRecord, parallelism: number): Record<string, unknown> {
  const view = recordView(record, parallelism);
  const size = sizeOf(record);
  const sourceSize = Math.min(265, size);
  const tasks = vertexIds.map((vertex, index) => [
    vertex,
    {
      id: record.id,
      status: record.status,
      latest_ack_timestamp: view.latest_ack_timestamp,
      checkpointed_size: index === 0 ? sourceSize : size - sourceSize,
      state_size: index === 0 ? sourceSize : size - sourceSize,
      end_to_end_duration: record.durationMs,
      alignment_buffered: 0,
      processed_data: 0,
      persisted_data: 0,
      num_subtasks: parallelism,
      num_acknowledged_subtasks: record.status === 'COMPLETED' ? parallelism : 0,
    },
  ]);
  return { ...view, tasks: Object.fromEntries(tasks) };
}

/** `/jobs/:jobid/checkpoints`. */
export function statisticsView({ checkpoints, parallelism }: JobView): Record<string, unknown> {
  const { counts, history, latest, restored, inProgress } = checkpoints;
  const completed = history.filter(({ status }) => status === 'COMPLETED');
  const sizes = summary(completed.map(sizeOf));
  const nothing = summary(completed.map(() => 0));
  const view = (record: CheckpointRecord | undefined): unknown => (record ? recordView(record, parallelism) : null);
  return {
    counts: {
      restored: counts.restored,
      total: counts.completed + counts.failed + inProgress,
      in_progress: inProgress,
      completed: counts.completed,
      failed: counts.failed,
    },
    summary: {
      checkpointed_size: sizes,
      state_size: sizes,
      end_to_end_duration: summary(completed.map(({ durationMs }) => durationMs)),
      alignment_buffered: nothing,
      processed_data: nothing,
      persisted_data: nothing,
    },
    latest: {
      completed: view(latest.completed),
      savepoint: view(latest.savepoint),
      failed: view(latest.failed),
      restored: restored
        ? {
            id: restored.id,
            restore_timestamp: restored.at,
            is_savepoint: restored.isSavepoint,
            external_path: restored.path ?? notAddressable,
          }
        : null,
    },
    history: history.map(view),
  };
}

function summary(values: readonly number[]): Record<string, number | string> {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number | string =>
    sorted.length === 0 ? 'NaN' : (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  const sum = sorted.reduce((all, one) => all + one, 0);
  return {
    min: sorted[0] ?? 0,
    max: sorted.at(-1) ?? 0,
    avg: sorted.length === 0 ? 0 : Math.floor(sum / sorted.length),
    p50: at(0.5),
    p90: at(0.9),
    p95: at(0.95),
    p99: at(0.99),
    p999: at(0.999),
  };
}
