import type { Instant } from '../../../clock/clock.ts';
import { annotations } from '../../../control/annotations.ts';
import type { FlinkDeployment } from '../../resources/flink-deployment.ts';
import type { FlinkSessionJob } from '../../resources/flink-session-job.ts';
import { type FlinkStateSnapshot, flinkStateSnapshot } from '../../resources/flink-state-snapshot.ts';
import { snapshotLabels } from '../snapshot/metadata.ts';
import type { SnapshotSettings } from './settings.ts';

export type SnapshotKind = 'savepoint' | 'checkpoint';

/** Who asked for a snapshot: a person by a nonce, the clock, or an upgrade, suspension or deletion of the job. */
export type TriggerType = 'MANUAL' | 'PERIODIC' | 'UPGRADE';

/** A FlinkStateSnapshot that is to be made for a job. */
export interface SnapshotWanted {
  readonly job: FlinkDeployment | FlinkSessionJob;
  readonly of: SnapshotKind;
  readonly trigger: TriggerType;
  /** Written in status before the object is made: the same instant gives the same object. */
  readonly at: Instant;
  readonly settings: Pick<SnapshotSettings, 'disposeOnDelete' | 'savepointFormat'>;
  /** Of a savepoint that was taken already: where it lies. */
  readonly location?: string;
}

/**
 * The object. It has no owner, so that it outlives its job; its name is its identity: whoever makes it again after a
 * crash finds it.
 */
export function snapshotObject({ job, of, trigger, at, settings, location }: SnapshotWanted): FlinkStateSnapshot {
  const { kind, metadata } = job;
  const { namespace, name = '', uid = '' } = metadata;
  const savepoint = {
    disposeOnDelete: settings.disposeOnDelete,
    formatType: settings.savepointFormat,
    ...(location !== undefined && { path: location, alreadyExists: true }),
  };
  return {
    apiVersion: flinkStateSnapshot.apiVersion,
    kind: flinkStateSnapshot.type.kind,
    metadata: {
      name: snapshotName(name, of, trigger, at),
      ...(namespace !== undefined && { namespace }),
      labels: { [snapshotLabels.triggerType]: trigger },
      annotations: { [annotations.id]: `${uid}/${of}/${at}` },
    },
    spec: {
      jobReference: { kind: kind === 'FlinkSessionJob' ? 'FlinkSessionJob' : 'FlinkDeployment', name },
      ...(of === 'savepoint' ? { savepoint } : { checkpoint: {} }),
    },
  };
}

/** As the upstream names them. */
export function snapshotName(job: string, of: SnapshotKind, trigger: TriggerType, at: Instant): string {
  return `${job}-${of}-${trigger.toLowerCase()}-${at}`;
}

/**
 * The record of a savepoint that was taken when the job was stopped, for an upgrade, a suspension or its deletion. `at`
 * is an instant that status holds (the beginning of the transition), so that a crash does not make two of it.
 */
export function upgradeSnapshot(
  job: FlinkDeployment | FlinkSessionJob,
  location: string,
  at: Instant,
  settings: SnapshotWanted['settings'],
): FlinkStateSnapshot {
  return snapshotObject({ job, of: 'savepoint', trigger: 'UPGRADE', at, settings, location });
}
