import type { CheckpointSettings, Retention } from './checkpoints.ts';
import { Configuration } from './configuration.ts';
import { countProgram } from './counting.ts';
import { normalPath } from './storage.ts';

/** A job as it was submitted. Plain JSON: with high availability it is stored and recovered. */
export interface JobGraph {
  readonly id: string;
  readonly name: string;
  readonly parallelism: number;
  readonly programArguments: readonly string[];
  /** The cluster's configuration with the job's own on top. */
  readonly configuration: readonly (readonly [string, string])[];
  /** Where its first state comes from; undefined: it begins empty. */
  readonly savepoint: string | undefined;
  readonly allowNonRestoredState: boolean;
}

/** What a submission may say beyond the configuration. */
export interface Submission {
  readonly id: string;
  readonly programArguments: readonly string[];
  readonly parallelism?: number;
  readonly savepoint?: string;
  readonly allowNonRestoredState?: boolean;
}

export function jobGraph(configuration: Configuration, submission: Submission): JobGraph {
  const program = countProgram(submission.programArguments);
  const savepoint = submission.savepoint ?? configuration.text('execution.savepoint.path');
  return {
    id: submission.id,
    name: configuration.text('pipeline.name') ?? program.name ?? `CountJob-${program.label}`,
    parallelism: widthOf(submission.parallelism ?? configuration.integer('parallelism.default', 1)),
    programArguments: submission.programArguments,
    configuration: configuration.entries(),
    savepoint,
    allowNonRestoredState:
      submission.allowNonRestoredState ?? configuration.boolean('execution.savepoint.ignore-unclaimed-state', false),
  };
}

const widthOf = (asked: number): number => (Number.isInteger(asked) && asked > 0 ? Math.min(asked, 32_768) : 1);

const retentions: readonly Retention[] = [
  'RETAIN_ON_CANCELLATION',
  'DELETE_ON_CANCELLATION',
  'NO_EXTERNALIZED_CHECKPOINTS',
];

export function checkpointSettings(graph: JobGraph): CheckpointSettings {
  const configuration = new Configuration(graph.configuration);
  const { checkpointMs } = countProgram(graph.programArguments);
  const interval = checkpointMs ?? configuration.duration('execution.checkpointing.interval', 0);
  const path = (key: string): string | undefined => {
    const text = configuration.text(key);
    return text === undefined ? undefined : normalPath(text);
  };
  const retention = configuration.text('execution.checkpointing.externalized-checkpoint-retention')?.toUpperCase();
  return {
    intervalMs: interval > 0 ? Math.max(10, interval) : undefined,
    directory: path('execution.checkpointing.dir'),
    savepointDirectory: path('execution.checkpointing.savepoint-dir'),
    retained: Math.max(1, configuration.integer('execution.checkpointing.num-retained', 1)),
    retention: retentions.find((one) => one === retention) ?? 'NO_EXTERNALIZED_CHECKPOINTS',
    tolerableFailures: configuration.integer('execution.checkpointing.tolerable-failed-checkpoints', 0),
    timeoutMs: configuration.duration('execution.checkpointing.timeout', 600_000),
    claims: configuration.text('execution.savepoint-restore-mode')?.toUpperCase() === 'CLAIM',
  };
}
