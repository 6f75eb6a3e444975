import type { OperatorConfig } from '../config/operator-config.ts';
import type { FlinkDeploymentSpec } from '../resources/flink-deployment.ts';
import type { RestoreMode } from '../resources/transition.ts';

/** All that the objects of one Flink cluster follow from. The same plan gives the same objects, byte for byte. */
export interface ClusterPlan {
  /** The FlinkDeployment. */
  readonly owner: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly generation: number;
  };
  /** The spec to be deployed; a session cluster when it has no job. */
  readonly spec: FlinkDeploymentSpec;
  readonly operator: OperatorConfig;
  /** The transition that makes them; on every object as `cutover.dev/id`, and in the path of the job result store. */
  readonly id: string;
  /** Of an application. */
  readonly jobId?: string;
  /** Of an application: what its job starts from. */
  readonly restore: { readonly mode: RestoreMode; readonly path?: string };
  /** The HA metadata names a checkpoint: then a last-state restore must fail, not start empty, should it be lost. */
  readonly haWithCheckpoint: boolean;
}
