import { type JsonPatchOperation, type PatchAction, refTo } from '../../../control/decision.ts';
import { addFinalizer } from '../../../control/finalizers.ts';
import type { FlinkStateSnapshot } from '../../resources/flink-state-snapshot.ts';

/** As the upstream's, so that whoever takes over finds its own. */
export const snapshotFinalizer = 'flinkstatesnapshots.flink.apache.org/finalizer';

export const snapshotLabels = {
  type: 'snapshot.type',
  triggerType: 'snapshot.trigger-type',
  state: 'snapshot.state',
  jobKind: 'job-reference.kind',
  jobName: 'job-reference.name',
} as const;

/** Labels by which snapshots are found: what it is, who asked for it, how far it has come, and whose it is. */
export function labelsFor({ spec, metadata, status }: FlinkStateSnapshot): Readonly<Record<string, string>> {
  const { kind, name } = spec.jobReference ?? {};
  const labels = {
    [snapshotLabels.type]: spec.checkpoint ? 'CHECKPOINT' : 'SAVEPOINT',
    [snapshotLabels.triggerType]: metadata.labels?.[snapshotLabels.triggerType] ?? 'MANUAL',
    [snapshotLabels.state]: status?.state ?? 'TRIGGER_PENDING',
    ...(kind !== undefined && { [snapshotLabels.jobKind]: kind }),
    ...(name !== undefined && { [snapshotLabels.jobName]: name }),
  };
  // A name that no object can have is no label either; validation says so.
  return Object.fromEntries(
    Object.entries(labels).filter(([, value]) => /^[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/.test(value)),
  );
}

/** Puts finalizer and labels right; `undefined` when they are. */
export function putMetadata(resource: FlinkStateSnapshot): PatchAction | undefined {
  const present = resource.metadata.labels;
  const missing = Object.entries(labelsFor(resource)).filter(([key, value]) => present?.[key] !== value);
  const labels: JsonPatchOperation[] =
    missing.length === 0
      ? []
      : present === undefined
        ? [{ op: 'add', path: '/metadata/labels', value: Object.fromEntries(missing) }]
        : missing.map(([key, value]) => ({ op: 'add', path: `/metadata/labels/${key}`, value }));
  const patch = [...(addFinalizer(resource, snapshotFinalizer)?.patch ?? []), ...labels];
  return patch.length === 0 ? undefined : { do: 'patch', of: refTo(resource), patch };
}
