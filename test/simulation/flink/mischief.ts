import { flinkBlueGreenDeployment } from '../../../src/flink/resources/flink-blue-green-deployment.ts';
import { flinkDeployment } from '../../../src/flink/resources/flink-deployment.ts';
import { flinkSessionJob } from '../../../src/flink/resources/flink-session-job.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import { type Acts, commonMischief } from '../acts.ts';
import type { Mischief } from '../subject.ts';

/** What is done to Flink's resources and to what runs for them, besides the workloads. */
export const mischief = {
  ...commonMischief,
  'kill a TaskManager': { end: 'as if nothing' },
  'delete the Service': { end: 'as if nothing' },
} as const satisfies Readonly<Record<string, Mischief>>;

const isTaskManager = ({ metadata }: AnyObject): boolean => metadata.labels?.component === 'taskmanager';

export async function meddle(which: string, acts: Acts): Promise<void> {
  switch (which as keyof typeof mischief) {
    case 'kill a TaskManager':
      return await acts.remove(kinds.pods, acts.present(kinds.pods, isTaskManager).slice(0, 1));
    case 'delete the Service':
      return await acts.remove(
        kinds.services,
        acts.present(kinds.services, ({ metadata }) => metadata.name?.endsWith('-rest') ?? false),
      );
    case 'label it':
    case 'pause it for a while':
      await acts.common(which, [flinkBlueGreenDeployment.type, flinkDeployment.type, flinkSessionJob.type]);
  }
}
