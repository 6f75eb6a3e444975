import type { Workload } from '../../portrait/workload.ts';
import type { OperatorConfig } from '../config/operator-config.ts';
import { blueGreenWorkload } from './blue-green/blue-green-workload.ts';
import { deploymentWorkload, sessionJobWorkload } from './job/job-workloads.ts';

/** What runs in this family. `operator` is asked each time: it may be read anew while the program runs. */
export function flinkWorkloads(operator: () => OperatorConfig): readonly Workload[] {
  return [blueGreenWorkload(operator), deploymentWorkload(operator), sessionJobWorkload(operator)];
}
