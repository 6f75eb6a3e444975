import type { Instant } from '../../clock/clock.ts';
import { timestamp } from '../../control/conditions.ts';
import { type Action, type Decision, idle, refTo } from '../../control/decision.ts';
import { annotations, labels } from '../keys.ts';
import type { CfDeploymentView } from '../observe/cf-deployment-view.ts';
import type { CfDeploymentStatus } from '../resources/cf-deployment.ts';
import { conclude, type Readiness } from './conclude.ts';
import { createdAt } from './created-at.ts';
import { progress } from './deployment/progress.ts';
import { restoredEnv } from './deployment/restored-env.ts';
import { beginsWithinMs, hasEnded } from './deployment-status.ts';
import { furnished } from './furnished.ts';
import { refusal, refusedSoFar } from './refusal.ts';
import { unresolved } from './unresolved.ts';

/** How many deployments of an app that have ended are kept as its history. */
const history = 10;
/** For how long one that has ended is kept at least: whoever waits for it, or was superseded, finds out how it ended. */
const keptAtLeastMs = 10 * 60_000;

/** Nobody would tell that a Secret was written. */
const soonMs = 200;

/** Keeps the record of one deployment. What is deployed, the app's own revision says; this says how far it has come. */
export function decideCfDeployment(view: CfDeploymentView): Decision {
  const { deployment, app } = view;
  if (deployment.metadata.deletionTimestamp) return idle('it is being deleted');
  const ended = hasEnded(deployment, app);
  const outdatedAt = ended && view.newerEnded >= history ? keptUntil(deployment) : undefined;
  if (outdatedAt !== undefined && outdatedAt <= view.now) {
    return { actions: [{ do: 'delete', of: refTo(deployment) }], because: `${history} newer deployments have ended` };
  }
  const furnish = furnished(deployment, {
    labels: {
      [labels.guid]: deployment.metadata.name,
      [labels.spaceGuid]: deployment.metadata.namespace,
      [labels.appGuid]: deployment.spec.appRef.name,
      [labels.createdAt]: createdAt(deployment),
    },
    annotations: { [annotations.creationVersion]: view.settings.version },
    ...(app && { owner: { object: app } }),
  });
  if (furnish) return { actions: [furnish], because: 'it lacks what the platform gives every deployment' };
  if (ended) return { ...idle('it has ended'), ...(outdatedAt !== undefined && { wakeAt: outdatedAt }) };
  if (!app) {
    const message = `${unresolved('CFApp', 'spec.appRef.name', deployment.spec.appRef.name)} Delete this deployment.`;
    const readiness = { ready: false, reason: 'AppNotFound', message } as const;
    return conclude(deployment, view.now, {
      status: deployment.status ?? {},
      readiness,
      because: 'its app is not there',
    });
  }
  return concluded(view, { ...progress(view, app) });
}

/** What does not say when it ended, ended long ago. */
function keptUntil({ status }: CfDeploymentView['deployment']): Instant {
  const ended = Date.parse(status?.finalizedAt ?? '');
  return Number.isFinite(ended) ? ended + keptAtLeastMs : Number.NEGATIVE_INFINITY;
}

function concluded(view: CfDeploymentView, found: CfDeploymentStatus): Decision {
  const { deployment, now } = view;
  const { status: before = {} } = deployment;
  const { error: _error, reason: _reason, value: _value, step: _step, ...kept } = before;
  const changed = before.value !== found.value || before.reason !== found.reason;
  const healthy = lastReady(view);
  const status: CfDeploymentStatus = {
    ...kept,
    ...found,
    ...(changed && { lastStatusChange: timestamp(now) }),
    ...(healthy !== undefined && { lastSuccessfulHealthcheck: healthy }),
  };
  if (found.value !== 'FINALIZED') {
    const wakeAt =
      found.appRev === undefined ? Date.parse(deployment.metadata.creationTimestamp ?? '') + beginsWithinMs : undefined;
    return conclude(deployment, now, {
      status,
      readiness: readinessOf(found),
      because: saying(found.reason),
      ...(wakeAt !== undefined && Number.isFinite(wakeAt) && { wakeAt }),
    });
  }
  const restored =
    found.reason === 'CANCELED' && found.appRev !== undefined ? restoredEnv(view.environments) : undefined;
  // The environment first: once the deployment has ended, nobody looks at it again.
  const refused = restored?.is === 'restore' ? refusal(restored.action, view.outcomes) : undefined;
  if (restored?.is === 'restore' && !refused?.isFinal) {
    const because = 'the environment returns to that of the previous revision';
    const next = { because, wakeAt: now + soonMs };
    if (!refused) return { actions: [restored.action], ...next };
    const message = refusedSoFar('The environment of the previous revision', refused);
    const readiness = { ready: false, reason: 'Canceling', message } as const;
    return conclude(deployment, now, { status: before, readiness, effects: [restored.action], ...next });
  }
  const final = {
    ...status,
    ...(refused !== undefined && { error: `The environment could not be restored: ${refused.why}` }),
    finalizedAt: timestamp(now),
    ...(restored && view.environments && { envRestored: restored.is === 'previous' }),
  };
  return conclude(deployment, now, {
    status: final,
    readiness: readinessOf(found),
    effects: told(view, found),
    because: saying(found.reason),
  });
}

function readinessOf({ value, reason, error }: CfDeploymentStatus): Readiness {
  if (value === 'FINALIZED' && reason === 'DEPLOYED') return { ready: true };
  const why = {
    DEPLOYING: 'Deploying',
    PAUSED: 'Paused',
    CANCELING: 'Canceling',
    CANCELED: 'Canceled',
    SUPERSEDED: 'Superseded',
    DEPLOYED: 'Deployed',
  } as const;
  return {
    ready: false,
    reason: why[reason ?? 'DEPLOYING'],
    message: error ?? saying(reason),
  };
}

function saying(reason: CfDeploymentStatus['reason']): string {
  switch (reason) {
    case 'DEPLOYED':
      return 'All instances run the revision.';
    case 'PAUSED':
      return 'The canaries run; continue or cancel the deployment.';
    case 'CANCELING':
      return 'The instances return to the previous revision.';
    case 'CANCELED':
      return 'The deployment was canceled.';
    case 'SUPERSEDED':
      return 'Another deployment took its place.';
    default:
      return 'Instances are being replaced.';
  }
}

/** How it ended, on the app: that is where people look. */
function told({ app }: CfDeploymentView, { reason, error }: CfDeploymentStatus): readonly Action[] {
  if (!app) return [];
  const note = error ?? saying(reason);
  const about = refTo(app);
  switch (reason) {
    case 'DEPLOYED':
      return [{ do: 'event', about, reason: 'Deployed', note }];
    case 'SUPERSEDED':
      return [{ do: 'event', about, reason: 'DeploymentSuperseded', note }];
    default:
      return [{ do: 'event', about, reason: 'DeploymentCanceled', note, warning: true }];
  }
}

/** When an instance of this revision last became ready. */
function lastReady({ web, deployment, app }: CfDeploymentView): string | undefined {
  const { status } = web?.process ?? {};
  const appRev = deployment.status?.appRev;
  if (!app || appRev === undefined || status?.observedAppRev !== appRev)
    return deployment.status?.lastSuccessfulHealthcheck;
  const times = Object.values(status.instancesStatus ?? {}).flatMap(({ state, timestamp: since }) =>
    state === 'RUNNING' && since !== undefined ? [since] : [],
  );
  const [latest] = times.sort().reverse();
  return latest ?? deployment.status?.lastSuccessfulHealthcheck;
}
