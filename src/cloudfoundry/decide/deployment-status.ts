import type { Instant } from '../../clock/clock.ts';
import { deploymentMark } from '../deployment-mark.ts';
import type { CfApp } from '../resources/cf-app.ts';
import type { CfDeployment, CfDeploymentStatus } from '../resources/cf-deployment.ts';
import { revisionsOf } from '../revision.ts';

/** For how long a deployment that no app names may still be about to begin: two writes of one request. */
export const beginsWithinMs = 60_000;

/** How a deployment stands, in Cloud Foundry's words. */
export interface DeploymentStanding {
  readonly value: 'ACTIVE' | 'FINALIZED';
  readonly reason: NonNullable<CfDeploymentStatus['reason']>;
  /** Why it does not get on, or why it ended otherwise than was asked for. */
  readonly error?: string;
  readonly lastStatusChange?: string;
  readonly lastSuccessfulHealthcheck?: string;
  /** canary: the step that is being done, or waits to be continued. */
  readonly step?: number;
}

/**
 * How a deployment stands now, from its record and from the app, whose mark is the truth: what a request has just written
 * there is seen at once, also before the controller has written it down.
 *
 * FINALIZED is for ever, but for one case: `hasEnded`. DEPLOYED is only ever read from the record: the controller has seen all
 * instances run.
 */
export function deploymentStatus(record: CfDeployment, app: CfApp, now: Instant): DeploymentStanding {
  const { status = {} } = record;
  const { error, lastStatusChange, lastSuccessfulHealthcheck, step } = status;
  const told = {
    ...(lastStatusChange !== undefined && { lastStatusChange }),
    ...(lastSuccessfulHealthcheck !== undefined && { lastSuccessfulHealthcheck }),
    ...(step !== undefined && { step }),
  };
  const because = error === undefined ? {} : { error };
  if (hasEnded(record, app)) {
    return { value: 'FINALIZED', reason: status.reason ?? 'DEPLOYED', ...because, ...told };
  }
  const found = standing(record, app, now);
  return { ...because, ...found, ...told };
}

/**
 * Whether a deployment has ended. A cancel may be written on the app in the same moment in which the controller writes DEPLOYED
 * on the record: the app is the truth, and it goes back.
 */
export function hasEnded({ metadata, status }: CfDeployment, app: CfApp | undefined): boolean {
  if (status?.value !== 'FINALIZED') return false;
  const mark = app && deploymentMark(app);
  return !(status.reason === 'DEPLOYED' && mark?.guid === metadata.name && mark?.canceled);
}

type Found = Pick<DeploymentStanding, 'value' | 'reason' | 'error'>;

function standing(record: CfDeployment, app: CfApp, now: Instant): Found {
  const name = record.metadata.name ?? '';
  const mark = deploymentMark(app);
  const { appRev, lastStopAppRev, highest } = revisionsOf(app);
  if (mark?.guid === name) {
    if (app.spec.desiredState === 'STOPPED' || lastStopAppRev > mark.appRev) return stopped;
    if (mark.canceled) return { value: 'ACTIVE', reason: 'CANCELING' };
    if (appRev !== mark.appRev) return superseded;
    const paused = record.status?.reason === 'PAUSED' && record.status.step === record.spec.step;
    return { value: 'ACTIVE', reason: paused ? 'PAUSED' : 'DEPLOYING' };
  }
  if (mark?.supersedes?.includes(name)) return superseded;
  const { appRev: began, reason = 'DEPLOYING' } = record.status ?? {};
  // Revisions only grow: an app without this one is from before the deployment, as a cache that goes back shows it.
  if (began !== undefined) return highest < Number(began) ? { value: 'ACTIVE', reason } : superseded;
  const made = Date.parse(record.metadata.creationTimestamp ?? '');
  return now - made < beginsWithinMs ? { value: 'ACTIVE', reason: 'DEPLOYING' } : neverBegun;
}

const superseded: Found = { value: 'FINALIZED', reason: 'SUPERSEDED' };
const stopped: Found = { value: 'FINALIZED', reason: 'CANCELED', error: 'The app was stopped before it was deployed.' };
const neverBegun: Found = {
  value: 'FINALIZED',
  reason: 'CANCELED',
  error: 'It was never begun: the request that made it was cut off. Deploy again.',
};
