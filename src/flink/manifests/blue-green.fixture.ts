import type {
  FlinkBlueGreenDeployment,
  FlinkBlueGreenDeploymentSpec,
} from '../resources/flink-blue-green-deployment.ts';
import { examplePlan } from './cluster-plan.fixture.ts';

/** A blue/green deployment of an application as most people write it, changed. */
export function exampleBlueGreen(spec: Partial<FlinkBlueGreenDeploymentSpec> = {}): FlinkBlueGreenDeployment {
  return {
    apiVersion: 'flink.apache.org/v1beta1',
    kind: 'FlinkBlueGreenDeployment',
    metadata: { name: 'counter', namespace: 'shop', uid: 'uid-1', resourceVersion: '1', generation: 1 },
    spec: { template: { spec: examplePlan().spec }, ...spec },
  };
}
