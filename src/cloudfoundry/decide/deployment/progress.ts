import { deploymentMark } from '../../deployment-mark.ts';
import type { CfDeploymentView } from '../../observe/cf-deployment-view.ts';
import type { AppWorkload } from '../../resources/app-workload.ts';
import type { CfApp } from '../../resources/cf-app.ts';
import type { CfDeploymentStatus } from '../../resources/cf-deployment.ts';
import { revisionsOf } from '../../revision.ts';
import { wantedInstances } from '../../wanted-instances.ts';
import { isReady } from '../conclude.ts';
import { type DeploymentStanding, deploymentStatus } from '../deployment-status.ts';
import { canaries, totalSteps } from '../process/rollout.ts';

type Progress = Pick<CfDeploymentStatus, 'value' | 'reason' | 'appRev' | 'step' | 'webDone' | 'error'>;

/**
 * How far a deployment has come, by what is seen to run and not by what was written: DEPLOYED is said when the app is Ready
 * and says so of this very revision.
 */
export function progress(view: CfDeploymentView, app: CfApp): Progress {
  const { deployment, now } = view;
  const standing = deploymentStatus(deployment, app, now);
  const mark = deploymentMark(app);
  const begun = mark?.guid === deployment.metadata.name ? { appRev: String(mark?.appRev) } : {};
  const before = deployment.status;
  const known = { ...(before?.appRev !== undefined && { appRev: before.appRev }), ...begun };
  if (standing.value === 'FINALIZED') return { ...known, ...ended(standing) };
  if (standing.reason === 'CANCELING') {
    const back = runs(app, revisionsOf(app).appRev) ? canceled : { value: 'ACTIVE' as const, reason: standing.reason };
    return { ...known, ...back, ...trouble(view) };
  }
  if (!mark || !('appRev' in begun)) return { ...known, value: 'ACTIVE', reason: 'DEPLOYING' };
  return { ...known, ...forward(view, app, mark.appRev) };
}

function forward(view: CfDeploymentView, app: CfApp, appRev: number): Progress {
  const { deployment, web } = view;
  const step =
    deployment.spec.strategy === 'canary' ? { step: Math.min(deployment.spec.step, totalSteps(deployment.spec)) } : {};
  // Where nothing ran before, or nothing is to run, there is nothing to hold canaries beside.
  const through = webRuns(view, appRev);
  const held = web && !through ? canaries(deployment, wantedInstances(web.process.spec)) : undefined;
  const webDone = deployment.status?.webDone === true || through;
  const done = webDone ? { webDone } : {};
  if (held !== undefined) {
    const seen = toldNow(web?.workload);
    const there = web?.workload?.spec.version === String(appRev) && (seen?.canaries ?? 0) >= held;
    // A step that was reached stays reached: an instance that falters later is not a step back.
    const reached =
      there || (deployment.status?.reason === 'PAUSED' && deployment.status.step === deployment.spec.step);
    return { ...step, value: 'ACTIVE', reason: reached ? 'PAUSED' : 'DEPLOYING', ...trouble(view) };
  }
  if (webDone && runs(app, appRev)) return { ...step, ...done, value: 'FINALIZED', reason: 'DEPLOYED' };
  return { ...step, ...done, value: 'ACTIVE', reason: 'DEPLOYING', ...trouble(view) };
}

/** Seed 002: the app is Ready; and, what the seed could not know, it says so of this revision. */
function runs(app: CfApp, appRev: number): boolean {
  return isReady(app) && app.status?.observedAppRev === String(appRev);
}

/**
 * Without web instances there is nothing for the others to wait for. Every app has a web process: where none is seen, a cache lags
 * or it is being made, and nothing is known of its instances.
 */
function webRuns({ web }: CfDeploymentView, appRev: number): boolean {
  if (!web) return false;
  if (wantedInstances(web.process.spec) === 0) return true;
  return isReady(web.process) && web.process.status?.observedAppRev === String(appRev);
}

const canceled = { value: 'FINALIZED', reason: 'CANCELED' } as const;

function ended({ value, reason, error }: DeploymentStanding): Progress {
  return { value, reason, ...(error !== undefined && { error }) };
}

/** What the runner says of the workload as it is now; what it said of the one before, say of other canaries, is over. */
function toldNow(workload: AppWorkload | undefined): AppWorkload['status'] {
  return workload?.status?.observedGeneration === workload?.metadata.generation ? workload?.status : undefined;
}

/** Why instances of the revision do not come up, in the runner's words. */
function trouble({ web }: CfDeploymentView): Pick<Progress, 'error'> {
  const seen = toldNow(web?.workload);
  const text = seen?.error ?? seen?.rollout?.note;
  return text === undefined ? {} : { error: text };
}
