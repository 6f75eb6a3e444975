import { effectiveConfig, observeConfig } from '../config/effective-config.ts';
import type { FlinkConfig } from '../config/flink-config.ts';
import { flinkOptions } from '../config/flink-options.ts';
import type { OperatorConfig } from '../config/operator-config.ts';
import { operatorOptions } from '../config/operator-options.ts';
import { isSet, read } from '../config/option.ts';
import { clusterAddress } from '../manifests/cluster-address.ts';
import type { FlinkDeployment } from '../resources/flink-deployment.ts';
import type { FlinkSessionJob } from '../resources/flink-session-job.ts';
import { deploymentSpecCodec } from '../resources/recorded-spec.ts';
import type { ClusterAddress } from '../rest.ts';

/** How closely a job is followed, and what of it matters. */
export interface Pace {
  /** While something is under way. */
  readonly closeMs: number;
  /** While nothing is. */
  readonly restMs: number;
  /** Its metrics tell whether it is well. */
  readonly health: boolean;
  /** Its vertices may be rescaled while it runs. */
  readonly rescalable: boolean;
}

/** Where the cluster of a FlinkDeployment is asked, by the configuration it was deployed with, and how often. */
export function clusterPace(
  operator: OperatorConfig,
  resource: FlinkDeployment,
): { readonly address: ClusterAddress; readonly repeatsMs: number; readonly pace: Pace } {
  const config = configOf(operator, resource);
  const { namespace = '', name = '' } = resource.metadata;
  return { address: clusterAddress({ namespace, name }, config), repeatsMs: repeatsOf(config), pace: paceOf(config) };
}

/** Flink looks at a job only so often for its REST interface, and repeats itself in between; checkpoints may have a limit of their own. */
function repeatsOf(config: FlinkConfig): number {
  const { webRefreshInterval, checkpointStatisticsTimeout } = flinkOptions;
  const graph = read(config, webRefreshInterval);
  return Math.max(graph, read(config, checkpointStatisticsTimeout) ?? graph);
}

/** How often a session job is asked about: by its own configuration over that of its session cluster. */
export function sessionJobPace(operator: OperatorConfig, session: FlinkDeployment, job: FlinkSessionJob): Pace {
  const { namespace = '' } = job.metadata;
  const { flinkVersion, flinkConfiguration } = session.spec;
  return paceOf(
    effectiveConfig(operator, { namespace, flinkVersion }, flinkConfiguration, job.spec.flinkConfiguration),
  );
}

function configOf(operator: OperatorConfig, { metadata, spec, status }: FlinkDeployment): FlinkConfig {
  const place = { namespace: metadata.namespace ?? '', flinkVersion: spec.flinkVersion };
  const text = status?.reconciliationStatus?.lastReconciledSpec;
  const recorded = text === undefined ? undefined : deploymentSpecCodec.read(text);
  if (!recorded?.ok) return effectiveConfig(operator, place, spec.flinkConfiguration);
  return observeConfig(operator, place, recorded.spec.flinkConfiguration, spec.flinkConfiguration);
}

function paceOf(config: FlinkConfig): Pace {
  const { progressCheckInterval, reconcileInterval, healthCheck, inplaceScaling } = operatorOptions;
  return {
    closeMs: isSet(config, progressCheckInterval) ? atLeastOne(read(config, progressCheckInterval)) : 1_000,
    restMs: atLeastOne(read(config, reconcileInterval)),
    health: read(config, healthCheck),
    rescalable: read(config, inplaceScaling) && read(config, flinkOptions.scheduler)?.toLowerCase() === 'adaptive',
  };
}

/** Whoever writes `0 s` does not mean it. */
function atLeastOne(ms: number): number {
  return Math.max(ms, 1_000);
}
