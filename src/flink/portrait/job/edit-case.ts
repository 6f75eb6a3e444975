import type { Plan } from '../../../portrait/plan.ts';
import type { Around } from '../../../portrait/workload.ts';
import type { OperatorConfig } from '../../config/operator-config.ts';
import type { FlinkDeploymentSpec } from '../../resources/flink-deployment.ts';
import type { SpecChange } from '../../resources/spec-change.ts';
import { clusterNeeds, needsText } from '../cluster-needs.ts';
import type { Decided } from './decided.ts';
import type { JobLook } from './job-look.ts';

/** An edit and what is decided about it. */
export interface EditCase {
  /** Absent: it is to be created. */
  readonly before: JobLook | undefined;
  readonly after: JobLook;
  readonly change: SpecChange | undefined;
  readonly found: Decided;
  readonly around: Around;
  readonly operator: OperatorConfig;
}

/** What a plan says beside whom it is about, what changed and what is wrong with it. */
export type Outcome = Omit<Plan, 'subject' | 'changes' | 'problems'>;

export function isSuspended({ resource }: JobLook): boolean {
  return resource.spec.job?.state === 'suspended';
}

/** What the cluster asks of Kubernetes; a session job has none of its own. */
export function needsOf({ is, resource }: JobLook, operator: OperatorConfig): string | undefined {
  if (is === 'session job') return undefined;
  const { namespace = 'default' } = resource.metadata;
  return needsText(clusterNeeds(resource.spec as FlinkDeploymentSpec, namespace, operator));
}
