import type { AnyObject } from '../../src/kube/object.ts';
import { deployment } from '../flink/deployment.ts';

/** A FlinkBlueGreenDeployment of ordinary size, whose state must be kept. */
export function blueGreen(namespace: string, name: string): AnyObject {
  return {
    apiVersion: 'flink.apache.org/v1beta1',
    kind: 'FlinkBlueGreenDeployment',
    metadata: { name, namespace },
    spec: {
      ingress: { template: '{{name}}.{{namespace}}.example.com', className: 'nginx' },
      template: { spec: deployment(name, 8081).spec },
    },
  };
}

/** An edit that needs the other side. */
export function revision(number: number): object {
  return { spec: { template: { spec: { job: { args: ['--revision', String(number)] } } } } };
}
