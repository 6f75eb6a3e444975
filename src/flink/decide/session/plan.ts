import type { KubeObject } from '../../../kube/object.ts';
import type { ClusterObjects } from '../../manifests/cluster-objects.ts';
import type { ClusterPlan } from '../../manifests/cluster-plan.ts';
import type { SessionCase } from './session-case.ts';

/** What the objects of the recorded spec follow from, as the transition `id` made or makes them. */
export function planOf(c: SessionCase, id: string, generation: number): ClusterPlan {
  const { name = '', namespace = 'default' } = c.resource.metadata;
  return {
    owner: { name, namespace, uid: c.uid, generation },
    spec: c.recorded?.spec ?? c.spec,
    operator: c.view.operator,
    id,
    restore: { mode: 'last-state' },
    haWithCheckpoint: false,
  };
}

/** Those that are not there: the Deployments first, then what belongs to the JobManager's and carries its uid. */
export function missingObjects(c: SessionCase, objects: ClusterObjects, id: string): readonly KubeObject[] {
  const { jobManager, taskManager, dependents } = c.view.cluster;
  const deployments = [
    ...(jobManager ? [] : [objects.jobManager]),
    ...(objects.taskManager && !taskManager ? [objects.taskManager] : []),
  ];
  if (!jobManager || deployments.length > 0) return deployments;
  return objects.dependents(jobManager.ref.uid).filter(({ kind, metadata }) => {
    const key = `${kind}/${metadata.name}`;
    return !Object.hasOwn(dependents, key) || dependents[key]?.id !== id;
  });
}
