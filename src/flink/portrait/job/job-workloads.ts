import { kinds } from '../../../kube/kinds.ts';
import type { Workload } from '../../../portrait/workload.ts';
import type { OperatorConfig } from '../../config/operator-config.ts';
import { flinkDeployment } from '../../resources/flink-deployment.ts';
import { flinkSessionJob } from '../../resources/flink-session-job.ts';
import { flinkStateSnapshot } from '../../resources/flink-state-snapshot.ts';
import { deploymentOfPod } from '../claims.ts';
import { planJob } from './plan.ts';
import { portrayJob } from './portrait.ts';
import { summarizeJob } from './summary.ts';
import { jobVerbs } from './verbs.ts';

/** An application cluster or a session cluster. */
export function deploymentWorkload(operator: () => OperatorConfig): Workload {
  return {
    type: flinkDeployment.type,
    words: ['flinkdep'],
    beside: [flinkDeployment.type, flinkSessionJob.type, flinkStateSnapshot.type, kinds.deployments, kinds.pods],
    ...common(operator),
    claims: deploymentOfPod,
  };
}

/** A job in a session cluster. Pods run for the cluster, never for one of its jobs. */
export function sessionJobWorkload(operator: () => OperatorConfig): Workload {
  return {
    type: flinkSessionJob.type,
    words: ['sessionjob'],
    beside: [flinkDeployment.type, flinkStateSnapshot.type, kinds.deployments, kinds.pods],
    ...common(operator),
    claims: () => undefined,
  };
}

function common(operator: () => OperatorConfig): Pick<Workload, 'summarize' | 'portray' | 'plan' | 'verbs'> {
  return {
    summarize: summarizeJob,
    portray: (object, around) => portrayJob(object, around, operator()),
    plan: (edit, around) => planJob(edit, around, operator()),
    verbs: jobVerbs,
  };
}
