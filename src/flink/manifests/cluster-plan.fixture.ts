import { defaultOperatorConfig } from '../config/default-operator-config.ts';
import type { FlinkDeploymentSpec } from '../resources/flink-deployment.ts';
import type { ClusterPlan } from './cluster-plan.ts';

/** An application as most people write it, changed. */
export function examplePlan(spec: Partial<FlinkDeploymentSpec> = {}, plan: Partial<ClusterPlan> = {}): ClusterPlan {
  return {
    owner: { name: 'counter', namespace: 'shop', uid: 'uid-1', generation: 3 },
    spec: {
      image: 'flink:1.20',
      flinkVersion: 'v1_20',
      serviceAccount: 'flink',
      jobManager: { resource: { memory: '1g', cpu: 0.5 } },
      taskManager: { resource: { memory: '2g', cpu: 1 } },
      job: { jarURI: 'local:///opt/flink/usrlib/counter.jar', parallelism: 2 },
      ...spec,
    },
    operator: defaultOperatorConfig(),
    id: 'uid-1/7',
    jobId: '0123456789abcdef0123456789abcdef',
    restore: { mode: 'stateless' },
    haWithCheckpoint: false,
    ...plan,
  };
}
