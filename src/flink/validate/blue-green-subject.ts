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
} from '../resources/flink-blue-green-deployment.ts';
import { flinkDeployment } from '../resources/flink-deployment.ts';
import type { Nonces } from '../resources/progress.ts';
import { nameOf } from './name.ts';
import type { DeploymentSubject } from './subject.ts';

/** What a FlinkBlueGreenDeployment is judged by, beside itself. What is not given is read from its status. */
export interface BlueGreenContext {
  readonly operator: OperatorConfig;
  /** The spec that edits are compared with: that of the newest side. Absent before the first deployment. */
  readonly recorded?: FlinkBlueGreenDeploymentSpec | undefined;
  /** The last value of each redeploy nonce that was acted upon. */
  readonly nonces?: Nonces | undefined;
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
  const { recorded, nonces } = { ...standingOf(resource.status), ...context };
  const { spec } = resource;
  const deployed = recorded?.template?.spec;
  const side = sideOf(resource, context.operator);
  return {
    resource,
    spec,
    written: new Map(Object.entries(spec.configuration ?? {})),
    side: side && { ...side, recorded: deployed, nonces },
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
function standingOf(status: unknown): Pick<BlueGreenContext, 'recorded' | 'nonces'> {
  if (!isObject(status)) return {};
  const parsed = flinkBlueGreenDeployment.status.parse({ nonces: member(status, 'nonces') });
  const transition = member(status, 'transition');
  const texts = [isObject(transition) ? member(transition, 'spec') : undefined, member(status, 'lastReconciledSpec')];
  const found = texts.flatMap((text) => {
    const read = typeof text === 'string' ? blueGreenSpecCodec.read(text) : undefined;
    return read?.ok ? [read.spec] : [];
  });
  return { recorded: found[0], nonces: parsed.ok ? (parsed.value.nonces as Nonces | undefined) : undefined };
}
