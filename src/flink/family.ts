import { isObject } from '../change/equal.ts';
import type { Hook } from '../control/webhooks/admission.ts';
import type { AnyObject, KubeObject } from '../kube/object.ts';
import type { Family, FamilyCommand, FamilyProblem, Surroundings } from '../portrait/family.ts';
import { crd } from '../schema/crd.ts';
import type { OperatorConfig } from './config/operator-config.ts';
import { flinkWorkloads } from './portrait/flink-workloads.ts';
import { type FlinkBlueGreenDeployment, flinkBlueGreenDeployment } from './resources/flink-blue-green-deployment.ts';
import { type FlinkDeployment, flinkDeployment } from './resources/flink-deployment.ts';
import { type FlinkSessionJob, flinkSessionJob } from './resources/flink-session-job.ts';
import { type FlinkStateSnapshot, flinkStateSnapshot } from './resources/flink-state-snapshot.ts';
import { labelSessionJob, refusing } from './validate/admission.ts';
import { validateBlueGreen } from './validate/blue-green.ts';
import { validateDeployment } from './validate/deployment.ts';
import { rules } from './validate/rules.ts';
import { validateSessionJob } from './validate/session-job.ts';
import { type SnapshotContext, validateSnapshot } from './validate/snapshot.ts';

const kinds = [flinkDeployment, flinkSessionJob, flinkStateSnapshot, flinkBlueGreenDeployment];

/** What a cluster must know before it can hold Flink's resources. */
export function definitions(): readonly AnyObject[] {
  return kinds.map((kind) => ({ ...crd(kind) }));
}

/** Flink's own resources. `operator` is asked at every validation: it may be read anew while the program runs. */
export function flinkFamily(operator: () => OperatorConfig): Family {
  return {
    name: 'flink',
    kinds: kinds.map((kind) => ({ type: kind.type, definition: { ...crd(kind) } })),
    validate: (object, surroundings) => validate(object, surroundings, operator()),
    workloads: flinkWorkloads(operator),
    commands: [listRules],
  };
}

/** What the admission server answers, by path; the paths are those of the Java operator's webhooks. */
export function flinkHooks(family: Family, surroundings: Surroundings): Readonly<Record<string, Hook>> {
  return { '/validate': refusing(family, surroundings), '/mutate': labelSessionJob };
}

/** Objects come from anywhere: what has not the shape of its kind is a problem that validation itself reports. */
function validate(object: KubeObject, around: Surroundings, operator: OperatorConfig): readonly FamilyProblem[] {
  if (object.apiVersion !== flinkDeployment.apiVersion) return [];
  switch (object.kind) {
    case 'FlinkDeployment':
      return validateDeployment(object as FlinkDeployment, { operator });
    case 'FlinkBlueGreenDeployment':
      return validateBlueGreen(object as FlinkBlueGreenDeployment, { operator });
    case 'FlinkSessionJob': {
      const { deploymentName } = specOf(object);
      const session = find(around, object, 'FlinkDeployment', deploymentName);
      return validateSessionJob(object as FlinkSessionJob, {
        operator,
        session: typeof session === 'string' ? undefined : (session as unknown as FlinkDeployment),
      });
    }
    case 'FlinkStateSnapshot': {
      const { jobReference } = specOf(object);
      const { kind, name } = isObject(jobReference) ? jobReference : {};
      const job = find(around, object, kind, name);
      return validateSnapshot(object as FlinkStateSnapshot, { job: job as SnapshotContext['job'] });
    }
    default:
      return [];
  }
}

/** An object that another one names, in the namespace of that one. */
function find(around: Surroundings, from: KubeObject, kind: unknown, name: unknown): AnyObject | 'absent' | 'unknown' {
  const namespace = isObject(from.metadata) ? from.metadata.namespace : undefined;
  const named = kinds.find((one) => one.type.kind === kind);
  if (!named || typeof name !== 'string' || name === '') return 'unknown';
  return around.find(named.type, typeof namespace === 'string' ? namespace : 'default', name);
}

function specOf(object: KubeObject): Readonly<Record<string, unknown>> {
  const { spec } = object as AnyObject;
  return isObject(spec) ? spec : {};
}

const listRules: FamilyCommand = {
  name: 'rules',
  summary: 'list the rules by which resources are refused',
  *run() {
    for (const { kind, rule, field, says } of rules) yield `${kind} ${rule}\n  ${field}\n  ${says}`;
  },
};
