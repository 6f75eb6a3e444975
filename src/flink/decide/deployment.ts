import type { Decision } from '../../control/decision.ts';
import type { DeploymentView } from '../view.ts';
import { decideJob } from './job.ts';
import { applicationCase } from './job-case.ts';
import { sessionCluster } from './session/session-cluster.ts';

/** What happens next to a FlinkDeployment: an application by its job, a session cluster by itself. */
export function decideDeployment(view: DeploymentView): Decision {
  const application = applicationCase(view);
  return application ? decideJob(application) : sessionCluster(view);
}
