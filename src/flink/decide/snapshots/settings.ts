import { parseDuration } from '../../config/duration.ts';
import { effectiveConfig, observeConfig } from '../../config/effective-config.ts';
import type { FlinkConfig } from '../../config/flink-config.ts';
import type { OperatorConfig } from '../../config/operator-config.ts';
import { type FlinkDeployment, flinkDeployment } from '../../resources/flink-deployment.ts';
import type { FlinkSessionJob } from '../../resources/flink-session-job.ts';
import { deploymentSpecCodec } from '../../resources/recorded-spec.ts';
import type { ClusterAddress } from '../../rest.ts';

/** What is configured about the snapshots of one job. */
export interface SnapshotSettings {
  readonly cluster: ClusterAddress;
  readonly flinkVersion: string | undefined;
  readonly savepointDirectory: string | undefined;
  readonly savepointFormat: 'CANONICAL' | 'NATIVE';
  readonly checkpointType: string;
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
  readonly savepoints: number;
  readonly savepointAgeMs: number;
  readonly checkpoints: number;
}

const minute = 60_000;

/** `session` is the cluster that runs the job: the job itself, for an application. */
export function snapshotSettings(
  job: FlinkDeployment | FlinkSessionJob,
  session: FlinkDeployment,
  operator: OperatorConfig,
): SnapshotSettings {
  const config = configOf(job, session, operator);
  const option = (name: string): string | undefined => config.get(`kubernetes.operator.${name}`)?.trim();
  const duration = (name: string, otherwise: number): number => parseDuration(option(name) ?? '') ?? otherwise;
  const flag = (name: string, otherwise: boolean): boolean =>
    (option(name) ?? String(otherwise)).toLowerCase() === 'true';
  return {
    cluster: clusterAddress(session, operator),
    flinkVersion: session.spec.flinkVersion,
    savepointDirectory: config.get('execution.checkpointing.savepoint-dir') ?? config.get('state.savepoints.dir'),
    savepointFormat: option('savepoint.format.type') === 'NATIVE' ? 'NATIVE' : 'CANONICAL',
    checkpointType: option('checkpoint.type') ?? 'FULL',
    asResources: flag('snapshot.resource.enabled', true),
    disposeOnDelete: flag('savepoint.dispose-on-delete', false),
    period: {
      savepoint: option('periodic.savepoint.interval') ?? '',
      checkpoint: option('periodic.checkpoint.interval') ?? '',
    },
    graceMs: {
      savepoint: duration('savepoint.trigger.grace-period', minute),
      checkpoint: duration('checkpoint.trigger.grace-period', minute),
    },
    history: historyLimits(config, operator),
  };
}

/** Users may keep less than the operator's thresholds allow, not more. */
function historyLimits(config: FlinkConfig, { settings }: OperatorConfig): HistoryLimits {
  const key = (name: string): string => `kubernetes.operator.savepoint.${name}`;
  const own = (name: string): string => (Object.hasOwn(settings, key(name)) ? (settings[key(name)] ?? '') : '');
  const count = wholeNumber(config.get(key('history.max.count'))) ?? 10;
  const age = parseDuration(config.get(key('history.max.age')) ?? '') ?? 24 * 60 * minute;
  const retained = config.get('execution.checkpointing.num-retained') ?? config.get('state.checkpoints.num-retained');
  return {
    enabled: (config.get(key('cleanup.enabled')) ?? 'true').trim().toLowerCase() === 'true',
    savepoints: Math.min(count, wholeNumber(own('history.max.count.threshold')) ?? count),
    savepointAgeMs: Math.min(age, parseDuration(own('history.max.age.threshold')) ?? age),
    checkpoints: wholeNumber(retained) ?? 1,
  };
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : undefined;
}

/** Where the REST interface of a cluster that runs is found. */
export function clusterAddress(session: FlinkDeployment, operator: OperatorConfig): ClusterAddress {
  const config = deployedConfig(session, operator);
  const { namespace = '', name = '' } = session.metadata;
  const port = wholeNumber(config.get('rest.port')) ?? 8081;
  return { namespace, name, port, tls: config.get('security.ssl.rest.enabled')?.trim().toLowerCase() === 'true' };
}

function configOf(
  job: FlinkDeployment | FlinkSessionJob,
  session: FlinkDeployment,
  operator: OperatorConfig,
): FlinkConfig {
  if (job.kind === flinkDeployment.type.kind) return deployedConfig(session, operator);
  const { metadata, spec } = session;
  const place = { namespace: metadata.namespace ?? '', flinkVersion: spec.flinkVersion };
  return effectiveConfig(operator, place, spec.flinkConfiguration, job.spec.flinkConfiguration);
}

function deployedConfig({ metadata, spec, status }: FlinkDeployment, operator: OperatorConfig): FlinkConfig {
  const place = { namespace: metadata.namespace ?? '', flinkVersion: spec.flinkVersion };
  const text = status?.reconciliationStatus?.lastReconciledSpec;
  const recorded = text === undefined ? undefined : deploymentSpecCodec.read(text);
  const deployed = recorded?.ok ? recorded.spec.flinkConfiguration : spec.flinkConfiguration;
  return observeConfig(operator, place, deployed, spec.flinkConfiguration);
}
