import type { AnyObject } from '../../src/kube/object.ts';

export const namespace = 'bench';

/** A FlinkDeployment of ordinary size. `restPort` is where an operator outside of the cluster looks for its REST API. */
export function deployment(name: string, restPort: number): AnyObject {
  return {
    apiVersion: 'flink.apache.org/v1beta1',
    kind: 'FlinkDeployment',
    metadata: { name, namespace },
    spec: {
      image: 'flink:1.20',
      flinkVersion: 'v1_20',
      serviceAccount: 'flink',
      flinkConfiguration: {
        'rest.port': String(restPort),
        'taskmanager.numberOfTaskSlots': '2',
        'state.checkpoints.dir': 's3://bench/checkpoints',
        'state.savepoints.dir': 's3://bench/savepoints',
        'execution.checkpointing.interval': '30 s',
      },
      jobManager: { resource: { memory: '1g', cpu: 0.1 } },
      taskManager: { resource: { memory: '1g', cpu: 0.1 } },
      job: { jarURI: 'local:///opt/flink/usrlib/job.jar', parallelism: 2, upgradeMode: 'savepoint' },
    },
  };
}
