import { effectiveConfig } from '../config/effective-config.ts';
import type { ClusterPlan } from '../manifests/cluster-plan.ts';
import { lastStateOnly } from '../manifests/deploy-config.ts';
import { taskManagerReplicas } from '../manifests/task-manager-replicas.ts';
import type { FlinkDeploymentSpec } from '../resources/flink-deployment.ts';
import type { DeploymentSeen } from '../view.ts';
import type { JobCase } from './job-case.ts';
import { startedFrom } from './situation.ts';
import type { Moving } from './transition/advance.ts';

/** What the objects of the cluster that is being started follow from. */
export function planOf(c: Moving): ClusterPlan {
  const { transition } = c.status;
  const { mode, path } = transition.restore;
  return {
    owner: ownerOf(c, transition.generation),
    spec: (c.status.transition.cause === 'rollback' ? c.stable : c.recorded)?.spec as FlinkDeploymentSpec,
    operator: c.view.operator,
    id: transition.id,
    ...(transition.jobId !== undefined && { jobId: transition.jobId }),
    restore: { mode, ...(path !== undefined && { path }) },
    // As it was when the spec was taken up: what is made in a second look must fit what was made in the first.
    haWithCheckpoint: c.status.jobStatus?.upgradeSavepointPath === lastStateOnly,
  };
}

/** What the objects of the cluster that is deployed follow from. */
export function deployedPlan(c: JobCase, jobManager: DeploymentSeen): ClusterPlan | undefined {
  const rolledBack = c.status.reconciliationStatus?.state === 'ROLLED_BACK';
  const spec = (rolledBack ? c.stable : c.recorded)?.spec as FlinkDeploymentSpec | undefined;
  const { jobId, upgradeSavepointPath } = c.status.jobStatus ?? {};
  if (!spec) return undefined;
  return {
    owner: ownerOf(c, jobManager.generation ?? c.generation),
    spec,
    operator: c.view.operator,
    id: jobManager.id ?? `${c.uid}-0`,
    ...(jobId !== undefined && { jobId }),
    restore: startedFrom(c),
    haWithCheckpoint: upgradeSavepointPath === lastStateOnly,
  };
}

function ownerOf({ resource, uid }: JobCase, generation: number): ClusterPlan['owner'] {
  const { name = '', namespace = 'default' } = resource.metadata;
  return { name, namespace, uid, generation };
}

/** How many TaskManagers a spec asks for. */
export function taskManagersOf(c: JobCase, spec: FlinkDeploymentSpec): number {
  const namespace = c.resource.metadata.namespace ?? 'default';
  const config = effectiveConfig(
    c.view.operator,
    { namespace, flinkVersion: spec.flinkVersion },
    spec.flinkConfiguration,
  );
  return taskManagerReplicas(spec, config);
}
