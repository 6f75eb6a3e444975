import type { Subject } from '../../portrait/subject.ts';
import type { Summary } from '../../portrait/summary.ts';

/** A healthy Flink job called orders, but for what is given. */
export function summaryOf(given: Partial<Summary> = {}, subject: Partial<Subject> = {}): Summary {
  return {
    subject: {
      family: 'flink',
      apiVersion: 'flink.apache.org/v1beta1',
      kind: 'FlinkBlueGreenDeployment',
      namespace: 'streaming',
      name: 'orders',
      uid: 'u-1',
      ...subject,
    },
    phase: 'healthy',
    headline: 'blue serves',
    serving: 'blue',
    inTransition: false,
    ...given,
  };
}
