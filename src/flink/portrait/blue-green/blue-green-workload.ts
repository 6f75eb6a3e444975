import { kinds } from '../../../kube/kinds.ts';
import type { Workload } from '../../../portrait/workload.ts';
import type { OperatorConfig } from '../../config/operator-config.ts';
import { flinkBlueGreenDeployment } from '../../resources/flink-blue-green-deployment.ts';
import { flinkDeployment } from '../../resources/flink-deployment.ts';
import { flinkStateSnapshot } from '../../resources/flink-state-snapshot.ts';
import { blueGreenOfPod } from '../claims.ts';
import { planBlueGreen } from './plan.ts';
import { portrayBlueGreen } from './portrait.ts';
import { summarizeBlueGreen } from './summary.ts';
import { blueGreenVerbs } from './verbs.ts';

export function blueGreenWorkload(operator: () => OperatorConfig): Workload {
  return {
    type: flinkBlueGreenDeployment.type,
    words: ['bluegreen', 'flinkbgdep'],
    beside: [flinkDeployment.type, flinkStateSnapshot.type, kinds.deployments, kinds.pods, kinds.ingresses],
    summarize: (object) => summarizeBlueGreen(object, operator()),
    portray: (object, around) => portrayBlueGreen(object, around, operator()),
    plan: (edit, around) => planBlueGreen(edit, around, operator()),
    verbs: blueGreenVerbs({ operator }),
    claims: blueGreenOfPod,
  };
}
