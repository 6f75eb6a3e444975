import type { Decision } from '../../control/decision.ts';
import type { DeploymentView } from '../view.ts';
import { decideJob } from './job.ts';
import { applicationCase } from './job-case.ts';
import { lookingAgain } from './look-again.ts';
import { isRecordedSession } from './recorded.ts';
import { sessionCluster } from './session/session-cluster.ts';

/** What happens next to a FlinkDeployment: an application by its job, a session cluster by itself. */
export function decideDeployment(view: DeploymentView): Decision {
  const session = isRecordedSession(view.resource.status?.reconciliationStatus?.lastReconciledSpec);
  const application = session ? undefined : applicationCase(view);
  const decision = application ? decideJob(application) : sessionCluster(view);
  return lookingAgain(decision, view.now, view.cluster.unheard);
}
