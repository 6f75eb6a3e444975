import type { FlinkBlueGreenDeployment } from '../../../src/flink/resources/flink-blue-green-deployment.ts';
import type { JobSpec } from '../../../src/flink/resources/job-spec.ts';
import { application, namespace } from '../../flink/manifests.ts';

/** How long the side that is to come up may take, unless it is meant to fail. */
export const patience = '10 min';

/** As long as a side that cannot come up is waited for. */
export const shortPatience = '4 s';

export const gracePeriod = 'kubernetes.operator.bluegreen.abort.grace-period';

/** A job that counts, with its two sides and an Ingress before them. */
export function blueGreen(name: string): FlinkBlueGreenDeployment {
  return {
    apiVersion: 'flink.apache.org/v1beta1',
    kind: 'FlinkBlueGreenDeployment',
    metadata: { name, namespace },
    spec: {
      configuration: {
        [gracePeriod]: patience,
        // All are kept: they are counted in the end.
        'kubernetes.operator.bluegreen.savepoint.history.max.count': '1000',
      },
      ingress: { template: '{{name}}.example.com' },
      template: { spec: application({ name, job: revision(0) }).spec },
    },
  };
}

/** Another revision is another spec, and changes nothing else. */
export function revision(number: number, more: readonly string[] = []): Pick<JobSpec, 'args'> {
  return { args: ['--rate', '1000', '--revision', String(number), ...more] };
}

/** Below it a resource's savepoints are. */
export function savepointDirectory(name: string): string {
  return `s3://bucket/${name}/sp/`;
}
