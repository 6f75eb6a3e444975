import { effectiveConfig, observeConfig } from '../../config/effective-config.ts';
import type { FlinkConfig } from '../../config/flink-config.ts';
import type { FlinkDeployment, FlinkDeploymentSpec } from '../../resources/flink-deployment.ts';
import { deploymentSpecCodec, type RecordedSpec } from '../../resources/recorded-spec.ts';
import type { Transition } from '../../resources/transition.ts';
import type { DeploymentView } from '../../view.ts';
import { begunAnew } from '../begun-anew.ts';
import { type JobManagerSeen, jobManagerSeen } from '../job-manager.ts';
import type { Status } from '../status.ts';

/** A session cluster to decide about. */
export interface SessionCase {
  readonly view: DeploymentView;
  readonly resource: FlinkDeployment;
  readonly uid: string;
  /** The generation of `spec`. */
  readonly generation: number;
  /** What is wanted. */
  readonly spec: FlinkDeploymentSpec;
  /** What is deployed, or being deployed. */
  readonly recorded: RecordedSpec<FlinkDeploymentSpec> | undefined;
  /** With all that the view shows folded in. */
  readonly status: Status;
  /** In force for what is deployed. */
  readonly config: FlinkConfig;
  readonly jobManager: JobManagerSeen;
}

/** A session cluster in the middle of a change. */
export type MovingSession = SessionCase & { readonly status: Status & { readonly transition: Transition } };

export function sessionCase(view: DeploymentView): SessionCase {
  const { resource, operator, cluster, rest, now } = view;
  const { uid = '', namespace = 'default', generation = 0 } = resource.metadata;
  const { spec } = resource;
  const status = begunAnew(resource.status ?? {}, now);
  const recorded = recordedSpec(resource);
  const place = { namespace, flinkVersion: spec.flinkVersion };
  const config = recorded
    ? observeConfig(operator, place, recorded.spec.flinkConfiguration, spec.flinkConfiguration)
    : effectiveConfig(operator, place, spec.flinkConfiguration);
  const jobManager = jobManagerSeen(uid, cluster, rest, config, now);
  return { view, resource, uid, generation, spec, recorded, status, config, jobManager };
}

function recordedSpec({ status }: FlinkDeployment): RecordedSpec<FlinkDeploymentSpec> | undefined {
  const text = status?.reconciliationStatus?.lastReconciledSpec;
  const read = text === undefined ? undefined : deploymentSpecCodec.read(text);
  return read?.ok ? { spec: read.spec, firstDeployment: read.firstDeployment } : undefined;
}
