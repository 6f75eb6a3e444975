import { type Conditions, dropCondition, setCondition } from '../../control/conditions.ts';
import { type Action, type Decision, refTo } from '../../control/decision.ts';
import { deploymentMark } from '../deployment-mark.ts';
import { annotations, labels } from '../keys.ts';
import { vcapApplicationSecretName, vcapServicesSecretName } from '../names.ts';
import type { CfAppView } from '../observe/cf-app-view.ts';
import type { CfAppStatus } from '../resources/cf-app.ts';
import { bumpedAtStop, revisionsOf, unbumpedStop } from '../revision.ts';
import { appFurnishing } from './app/app-furnishing.ts';
import { appParts } from './app/app-parts.ts';
import { appReadiness } from './app/app-readiness.ts';
import { deletedApp } from './app/deleted-app.ts';
import { outdatedSecrets } from './app/outdated-secrets.ts';
import { preparedRevision } from './app/prepared-revision.ts';
import { conclude, type Readiness } from './conclude.ts';
import { furnished } from './furnished.ts';

/** What cannot be watched is looked at again after this long. */
const againMs = 10_000;
/** Nobody would tell that a Secret was written. */
const soonMs = 200;

/**
 * Seed 002, the app controller: everything that a revision is made of is in place before the revision is recorded in
 * `status.revision`, and only then do processes take it up. A stop that nobody bumped is bumped here, once.
 */
export function decideCfApp(view: CfAppView): Decision {
  const { app, now, env, settings } = view;
  if (app.metadata.deletionTimestamp) return deletedApp(view);
  // Before the status says STOPPED: a crash in between must find it still to be done, or done.
  if (unbumpedStop(app, app.status)) return bumped(view);
  const furnish = furnished(app, appFurnishing(app, settings.version));
  if (furnish) return { actions: [furnish], because: 'it lacks what the platform gives every app' };

  if (view.barred !== undefined) return barred(view, view.barred);

  const readiness = appReadiness(view);
  const effects = [...appParts(view), ...outdatedSecrets(view)];
  const waits = env?.is === 'absent' || env?.is === 'unreadable';
  const decision = conclude(app, now, {
    status: statusOf(view),
    readiness,
    effects,
    because: because(readiness, effects.length),
    ...(waits ? { wakeAt: now + againMs } : effects.some(isOfSecret) && { wakeAt: now + soonMs }),
  });
  if (decision.actions[0]?.do === 'status') return decision;
  const label = furnished(app, { labels: { [labels.deploymentStatus]: deploymentLabel(readiness) } });
  return label ? { ...decision, actions: [label, ...decision.actions] } : decision;
}

/** With webhooks absent and by `kubectl`: the state was changed, and nothing else. */
function bumped({ app }: CfAppView): Decision {
  const value = { ...app.metadata.annotations, ...bumpedAtStop(app) };
  const because = 'the app was stopped, and its next start is another revision';
  return {
    actions: [
      { do: 'patch', of: refTo(app), patch: [{ op: 'add', path: '/metadata/annotations', value }] },
      {
        do: 'event',
        about: refTo(app),
        reason: 'StopRecorded',
        note: `The app was stopped without a new revision; it is now ${value[annotations.appRev]}.`,
      },
    ],
    because,
  };
}

/** Without its Secrets nothing can be decided; what runs goes on. */
function barred({ app, now }: CfAppView, message: string): Decision {
  const told = `The operator may not read the Secrets of this space: ${message}. It gives itself the right when it looks after the space; see the conditions of its CFSpace.`;
  return conclude(app, now, {
    status: app.status ?? {},
    readiness: { ready: false, reason: 'SecretsForbidden', message: told },
    because: told,
    wakeAt: now + againMs,
  });
}

function isOfSecret(action: Action): boolean {
  if (action.do === 'apply' || action.do === 'create') return action.object.kind === 'Secret';
  return action.do === 'delete' && action.of.kind === 'Secret';
}

function statusOf(view: CfAppView): CfAppStatus {
  const { app, processes, secrets } = view;
  const { appRev, lastStopAppRev } = revisionsOf(app);
  const { revision: _before, ...kept } = app.status ?? {};
  const { name: guid = '' } = app.metadata;
  const revision = preparedRevision(view);
  const has = (name: string): boolean => secrets.some(({ metadata }) => metadata.name === name);
  const [application, services] = [vcapApplicationSecretName(guid), vcapServicesSecretName(guid)];
  return {
    ...kept,
    conditions: withCanary(view),
    actualState: processes.some(({ status }) => (status?.actualInstances ?? 0) > 0) ? 'STARTED' : 'STOPPED',
    ...(has(application) && { vcapApplicationSecretName: application }),
    ...(has(services) && { vcapServicesSecretName: services }),
    observedDesiredState: app.spec.desiredState,
    observedLastStopAppRev: String(lastStopAppRev),
    observedAppRev: String(appRev),
    ...(revision && { revision }),
  };
}

/**
 * Whoever looks only at the app must see that it waits for them. `Paused` is the word for an app that nobody cares for, and is
 * taken away from all others.
 */
function withCanary({ app, deployments, now }: CfAppView): Conditions {
  const stated = app.status?.conditions ?? [];
  const mark = deploymentMark(app);
  const step =
    mark && !mark.canceled && app.spec.desiredState === 'STARTED'
      ? deployments.find(({ name }) => name === mark.guid)?.waitsAt
      : undefined;
  if (step === undefined) return dropCondition(stated, 'CanaryWaiting');
  const message = `The canary of revision ${mark?.appRev} waits at step ${step}: continue or cancel the deployment.`;
  const finding = { type: 'CanaryWaiting', status: 'True', reason: 'StepReached', message } as const;
  return setCondition(stated, finding, app.metadata.generation ?? 0, now);
}

function deploymentLabel({ ready }: Readiness): 'ACTIVE' | 'FINALIZED' {
  return ready ? 'FINALIZED' : 'ACTIVE';
}

function because(readiness: Readiness, effects: number): string {
  if (effects > 0) return 'what the wanted revision consists of is put in place';
  return readiness.ready ? 'the app is as it should be' : readiness.message;
}
