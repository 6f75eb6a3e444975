import type { Decision } from '../../control/decision.ts';
import type { DeploymentView } from '../view.ts';
import { decideJob } from './job.ts';
import { applicationCase } from './job-case.ts';
import { isRecordedSession } from './recorded.ts';
import { sessionCluster } from './session/session-cluster.ts';

/** After so long a cluster is looked at again of which the caches do not show all: perhaps none tells when that is gone. */
const unheardMs = 10_000;

/** What happens next to a FlinkDeployment: an application by its job, a session cluster by itself. */
export function decideDeployment(view: DeploymentView): Decision {
  const session = isRecordedSession(view.resource.status?.reconciliationStatus?.lastReconciledSpec);
  const application = session ? undefined : applicationCase(view);
  const decision = application ? decideJob(application) : sessionCluster(view);
  if (!view.cluster.unheard) return decision;
  const wakeAt = view.now + unheardMs;
  return { ...decision, wakeAt: Math.min(wakeAt, decision.wakeAt ?? wakeAt) };
}
