import { parseOperatorConfig } from '../../../src/flink/config/parse-operator-config.ts';
import { clusterObjects } from '../../../src/flink/manifests/cluster-objects.ts';
import type { ClusterPlan } from '../../../src/flink/manifests/cluster-plan.ts';
import type { FlinkDeploymentSpec } from '../../../src/flink/resources/flink-deployment.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import { type GoldenCase, operatorConf } from './load.ts';

const operator = parseOperatorConfig(operatorConf());
if ('problem' in operator) throw new Error(operator.problem);

/** What a cluster was deployed from. */
export interface Deployed {
  readonly spec: GoldenCase['input']['spec'];
  readonly generation: number;
  readonly restore: ClusterPlan['restore'];
  readonly haWithCheckpoint: boolean;
}

/** The plan that a case, or an edit of it, comes to. */
export function planOf(
  { input }: GoldenCase,
  written: Deployed['spec'],
  deployed: Partial<Deployed> = {},
): ClusterPlan {
  const spec = written as FlinkDeploymentSpec;
  const path = spec.job?.initialSavepointPath;
  return {
    owner: {
      name: input.metadata.name ?? '',
      namespace: input.metadata.namespace ?? '',
      uid: '<uid>',
      generation: deployed.generation ?? 1,
    },
    spec,
    operator: operator as ClusterPlan['operator'],
    id: 'id',
    jobId: '<random>',
    restore: deployed.restore ?? (path ? { mode: 'savepoint', path } : { mode: 'stateless' }),
    haWithCheckpoint: deployed.haWithCheckpoint ?? false,
  };
}

/** All objects of a plan; a problem fails the test. */
export function objectsOf(plan: ClusterPlan): readonly AnyObject[] {
  const made = clusterObjects(plan);
  if ('problem' in made) throw new Error(`${plan.owner.name}: ${made.problem}`);
  const { jobManager, taskManager, ingress, dependents } = made;
  return [jobManager, taskManager, ingress, ...dependents('<uid>')].filter((object) => object !== undefined);
}
