import { effectiveConfig, observeConfig } from '../../config/effective-config.ts';
import type { FlinkConfig } from '../../config/flink-config.ts';
import { flinkOptions } from '../../config/flink-options.ts';
import type { OperatorConfig } from '../../config/operator-config.ts';
import { operatorOptions } from '../../config/operator-options.ts';
import { read } from '../../config/option.ts';
import { clusterAddress } from '../../manifests/cluster-address.ts';
import { type FlinkDeployment, flinkDeployment } from '../../resources/flink-deployment.ts';
import type { FlinkSessionJob } from '../../resources/flink-session-job.ts';
import { deploymentSpecCodec } from '../../resources/recorded-spec.ts';
import type { ClusterAddress } from '../../rest.ts';

/** What is configured about the snapshots of one job. */
export interface SnapshotSettings {
  readonly flinkVersion: string | undefined;
  readonly savepointDirectory: string | undefined;
  readonly savepointFormat: 'CANONICAL' | 'NATIVE';
  readonly checkpointType: 'FULL' | 'INCREMENTAL' | 'CONFIGURED';
  /** Snapshots become FlinkStateSnapshots, if that kind is installed. */
  readonly asResources: boolean;
  /** Of the FlinkStateSnapshots that are made for the job. */
  readonly disposeOnDelete: boolean;
  /** A duration or a Quartz expression; empty when none are wanted. */
  readonly period: { readonly savepoint: string; readonly checkpoint: string };
  /** How long an error is tried again, where snapshots are kept in the job's status. */
  readonly graceMs: { readonly savepoint: number; readonly checkpoint: number };
  readonly history: HistoryLimits;
}

/** How many snapshots are kept, and how long. */
export interface HistoryLimits {
  readonly enabled: boolean;
  readonly count: { readonly savepoint: number; readonly checkpoint: number };
  /** Old checkpoints are Flink's own business. */
  readonly ageMs: { readonly savepoint: number; readonly checkpoint: number };
}

/**
 * `session` is the cluster that runs the job: the job itself, for an application. All of it takes effect without a
 * deployment, so the present spec says it.
 */
export function snapshotSettings(
  job: FlinkDeployment | FlinkSessionJob,
  session: FlinkDeployment,
  operator: OperatorConfig,
): SnapshotSettings {
  const { metadata, spec } = session;
  const place = { namespace: metadata.namespace ?? 'default', flinkVersion: spec.flinkVersion };
  const own = job.kind === flinkDeployment.type.kind ? undefined : job.spec.flinkConfiguration;
  const config = effectiveConfig(operator, place, spec.flinkConfiguration, own);
  return {
    flinkVersion: spec.flinkVersion,
    savepointDirectory: read(config, flinkOptions.savepointsDirectory),
    savepointFormat: read(config, operatorOptions.savepointFormat),
    checkpointType: read(config, operatorOptions.checkpointType),
    asResources: read(config, operatorOptions.snapshotResources),
    disposeOnDelete: read(config, operatorOptions.disposeOnDelete),
    period: {
      savepoint: read(config, operatorOptions.periodicSavepoints).trim(),
      checkpoint: read(config, operatorOptions.periodicCheckpoints).trim(),
    },
    graceMs: {
      savepoint: read(config, operatorOptions.savepointGracePeriod),
      checkpoint: read(config, operatorOptions.checkpointGracePeriod),
    },
    history: historyLimits(config, operator),
  };
}

/** Users may keep less than the operator's thresholds allow, not more. */
function historyLimits(config: FlinkConfig, { settings }: OperatorConfig): HistoryLimits {
  const own = new Map(Object.entries(settings));
  const most = read(own, operatorOptions.savepointMaxCountThreshold) ?? Number.POSITIVE_INFINITY;
  const longest = read(own, operatorOptions.savepointMaxAgeThreshold) ?? Number.POSITIVE_INFINITY;
  return {
    enabled: read(config, operatorOptions.savepointCleanup),
    count: {
      savepoint: Math.min(read(config, operatorOptions.savepointMaxCount), most),
      checkpoint: read(config, flinkOptions.retainedCheckpoints),
    },
    ageMs: {
      savepoint: Math.min(read(config, operatorOptions.savepointMaxAge), longest),
      checkpoint: Number.POSITIVE_INFINITY,
    },
  };
}

/** Where the REST interface of a cluster that runs is found. */
export function sessionAddress(session: FlinkDeployment, operator: OperatorConfig): ClusterAddress {
  const { namespace = 'default', name = '' } = session.metadata;
  return clusterAddress({ namespace, name }, deployedConfig(session, operator));
}

/** In force for a cluster that runs. */
function deployedConfig({ metadata, spec, status }: FlinkDeployment, operator: OperatorConfig): FlinkConfig {
  const place = { namespace: metadata.namespace ?? 'default', flinkVersion: spec.flinkVersion };
  const text = status?.reconciliationStatus?.lastReconciledSpec;
  const recorded = text === undefined ? undefined : deploymentSpecCodec.read(text);
  const deployed = recorded?.ok ? recorded.spec.flinkConfiguration : spec.flinkConfiguration;
  return observeConfig(operator, place, deployed, spec.flinkConfiguration);
}
