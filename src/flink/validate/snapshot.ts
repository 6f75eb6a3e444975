import type { FlinkDeployment } from '../resources/flink-deployment.ts';
import type { FlinkSessionJob } from '../resources/flink-session-job.ts';
import { type FlinkStateSnapshot, flinkStateSnapshot } from '../resources/flink-state-snapshot.ts';
import type { Problem } from './problem.ts';
import { problemsOf, type Rule, shown } from './rule.ts';
import { shapeProblems } from './shape.ts';

/** What a FlinkStateSnapshot is judged by, beside itself. */
export interface SnapshotContext {
  /** The job that it names. `absent`: there is none; `unknown`: it was not looked up. */
  readonly job: FlinkDeployment | FlinkSessionJob | 'absent' | 'unknown';
}

interface SnapshotSubject extends SnapshotContext {
  readonly spec: FlinkStateSnapshot['spec'];
  readonly status: FlinkStateSnapshot['status'] | undefined;
}

const kinds = 'FlinkDeployment or FlinkSessionJob';

export const snapshotRules: readonly Rule<SnapshotSubject>[] = [
  {
    rule: 'snapshot-job-reference',
    field: 'spec.jobReference',
    says: 'A snapshot that is to be taken names its job.',
    check({ spec: { jobReference: { kind, name } = {}, savepoint } }) {
      if (savepoint?.alreadyExists || (kind !== undefined && name?.trim())) return undefined;
      return `Job reference must be supplied for this snapshot: spec.jobReference.kind is ${shown(kind)} and spec.jobReference.name is ${shown(name)}. Write the kind (${kinds}) and name of a job in the same namespace, or savepoint.alreadyExists if there is nothing to take.`;
    },
  },
  {
    rule: 'snapshot-job',
    field: 'spec.jobReference.name',
    says: 'The job of a snapshot that is still to be triggered exists.',
    check({ spec: { jobReference: { kind, name } = {}, savepoint }, status, job }) {
      if (job !== 'absent' || savepoint?.alreadyExists || !kind || !name?.trim()) return undefined;
      if ((status?.state ?? 'TRIGGER_PENDING') !== 'TRIGGER_PENDING') return undefined;
      return `Target for snapshot ${kind}/${name} was not found: spec.jobReference.name is ${shown(name)}, and there is no such ${kind} in this namespace. Create the job first, or correct kind and name.`;
    },
  },
  {
    rule: 'snapshot-of-session',
    field: 'spec.jobReference',
    says: 'A snapshot is taken of a job, not of a session cluster.',
    check({ spec: { jobReference, savepoint }, job }) {
      if (typeof job === 'string' || savepoint?.alreadyExists || job.kind !== 'FlinkDeployment' || job.spec?.job) {
        return undefined;
      }
      return `spec.jobReference.name is ${shown(jobReference?.name)}, a session cluster: it has no job of its own to take a snapshot of. Write kind FlinkSessionJob and the name of a job that runs in it.`;
    },
  },
  {
    rule: 'snapshot-path',
    field: 'spec.savepoint.path',
    says: 'A savepoint that already exists says where it lies.',
    check: ({ spec: { savepoint } }) =>
      savepoint?.alreadyExists && !savepoint.path?.trim()
        ? `spec.savepoint.path is ${shown(savepoint.path)}, and spec.savepoint.alreadyExists is true. Write where the savepoint lies, or remove alreadyExists to have one taken.`
        : undefined,
  },
  {
    rule: 'snapshot-backoff-limit',
    field: 'spec.backoffLimit',
    says: 'The number of retries is −1 (no limit) or more.',
    check: ({ spec: { backoffLimit: limit } }) =>
      limit === undefined || limit >= -1
        ? undefined
        : `spec.backoffLimit is ${limit}. Write how often a failure is tried again: 0 for never, -1 for without limit.`,
  },
];

/** All that is wrong with a FlinkStateSnapshot. Pure and total. */
export function validateSnapshot(resource: FlinkStateSnapshot, { job }: SnapshotContext): readonly Problem[] {
  const misshapen = shapeProblems(flinkStateSnapshot, resource);
  if (misshapen.length > 0) return misshapen;
  return problemsOf(snapshotRules, { spec: resource.spec, status: resource.status, job });
}
