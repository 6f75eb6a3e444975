import { isObject, member } from '../../change/equal.ts';
import { effectiveConfig } from '../config/effective-config.ts';
import { type FlinkConfig, flatConfig } from '../config/flink-config.ts';
import type { OperatorConfig } from '../config/operator-config.ts';
import { childName } from '../manifests/blue-green-child.ts';
import { blueGreenSpecCodec } from '../resources/blue-green-spec.ts';
import {
  type FlinkBlueGreenDeployment,
  type FlinkBlueGreenDeploymentSpec,
  flinkBlueGreenDeployment,
  type FlinkBlueGreenDeploymentStatus as Status,
} from '../resources/flink-blue-green-deployment.ts';
import { flinkDeployment } from '../resources/flink-deployment.ts';
import type { Nonces } from '../resources/progress.ts';
import { settledNonces } from '../resources/settled-nonces.ts';
import { nameOf } from './name.ts';
import type { DeploymentSubject } from './subject.ts';

/** What a FlinkBlueGreenDeployment is judged by, beside itself. What is not given is read from its status. */
export interface BlueGreenContext {
  readonly operator: OperatorConfig;
  /** The spec that edits are compared with: that of the newest side. Absent before the first deployment. */
  readonly recorded?: FlinkBlueGreenDeploymentSpec | undefined;
  /** The last value of each redeploy nonce that was acted upon. */
  readonly nonces?: Nonces | undefined;
  /** The spec that was accepted last, where no side has it yet. */
  readonly accepted?: FlinkBlueGreenDeploymentSpec | undefined;
}

/** What the rules for a FlinkBlueGreenDeployment look at. */
export interface BlueGreenSubject {
  readonly resource: FlinkBlueGreenDeployment;
  readonly spec: FlinkBlueGreenDeploymentSpec;
  /** `spec.configuration`. */
  readonly written: FlinkConfig;
  /** A FlinkDeployment as the template makes it; absent when it has no job. */
  readonly side: DeploymentSubject | undefined;
  /** Whether a change goes to the side that is there, because its job is, or is to be, suspended. */
  readonly inPlace: boolean;
}

export function blueGreenSubject(resource: FlinkBlueGreenDeployment, context: BlueGreenContext): BlueGreenSubject {
  const { recorded, nonces, accepted } = { ...standingOf(resource), ...context };
  const { spec } = resource;
  const deployed = recorded?.template?.spec;
  const side = sideOf(resource, context.operator);
  return {
    resource,
    spec,
    written: new Map(Object.entries(spec.configuration ?? {})),
    side: side && { ...side, recorded: deployed, nonces, accepted: accepted?.template?.spec },
    inPlace: deployed !== undefined && [deployed, side?.spec].some((one) => one?.job?.state === 'suspended'),
  };
}

/** Both sides are alike but for their colour; the longer name is that of green. */
function sideOf(
  { metadata, spec: { template } }: FlinkBlueGreenDeployment,
  operator: OperatorConfig,
): Omit<DeploymentSubject, 'recorded' | 'nonces'> | undefined {
  const spec = template?.spec;
  if (!spec?.job) return undefined;
  const { apiVersion, type } = flinkDeployment;
  const { namespace = 'default' } = metadata;
  const named = { name: childName(nameOf(metadata), 'GREEN'), namespace };
  return {
    resource: { apiVersion, kind: type.kind, metadata: named, spec },
    spec,
    job: spec.job,
    replicas: spec.taskManager?.replicas,
    config: effectiveConfig(operator, { namespace, flinkVersion: spec.flinkVersion }, spec.flinkConfiguration),
    written: flatConfig(spec.flinkConfiguration),
    transition: undefined,
  };
}

/** Total: what cannot be read tells nothing. An edit is compared with what the target was made for, while there is one. */
function standingOf(resource: FlinkBlueGreenDeployment): Omit<BlueGreenContext, 'operator'> {
  const status: unknown = resource.status;
  if (!isObject(status)) return {};
  const [nonces, superseded] = [member(status, 'nonces'), member(status, 'superseded')];
  const parsed = flinkBlueGreenDeployment.status.parse({ nonces, superseded });
  const transition = member(status, 'transition');
  const target = isObject(transition) ? specIn(member(transition, 'spec')) : undefined;
  return {
    recorded: target ?? specIn(member(status, 'lastReconciledSpec')),
    nonces: parsed.ok ? settledNonces(parsed.value as Pick<Status, 'nonces' | 'superseded'>, resource.spec) : undefined,
    accepted: specIn(member(status, 'wanted')),
  };
}

function specIn(text: unknown): FlinkBlueGreenDeploymentSpec | undefined {
  const read = typeof text === 'string' ? blueGreenSpecCodec.read(text) : undefined;
  return read?.ok ? read.spec : undefined;
}
