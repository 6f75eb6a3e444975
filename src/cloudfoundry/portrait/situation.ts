import { isObject } from '../../change/equal.ts';
import { annotations as control, switchedOn } from '../../control/annotations.ts';
import { isReady } from '../decide/conclude.ts';
import { type DeploymentMark, deploymentMark } from '../deployment-mark.ts';
import { wellFormedApp } from '../observe/well-formed-app.ts';
import type { CfApp } from '../resources/cf-app.ts';
import { revisionsOf } from '../revision.ts';

/** Where an app is, as far as the app itself says. */
export type Situation =
  /** It is being deleted. */
  | { readonly is: 'deleting' }
  /** It does not run, as was asked for. */
  | { readonly is: 'stopped' }
  /** Its instances are ending. */
  | { readonly is: 'stopping' }
  /** There is nothing that it could run. */
  | { readonly is: 'without-droplet' }
  /** The wanted revision runs on all instances. */
  | { readonly is: 'running' }
  /** It was started, and the wanted revision does not run on all instances yet; no deployment is under way. */
  | { readonly is: 'starting' }
  /** A deployment replaces instances one after the other. */
  | { readonly is: 'rolling'; readonly mark: DeploymentMark }
  /** A canary waits for somebody to continue or cancel it. */
  | { readonly is: 'canary'; readonly mark: DeploymentMark }
  /** A deployment was canceled, and instances of the revision before come back. */
  | { readonly is: 'returning'; readonly mark: DeploymentMark };

/** An app, read once. */
export interface AppStanding {
  readonly app: CfApp;
  readonly situation: Situation;
  /** The revision that is wanted. */
  readonly appRev: number;
  /** The revision that served before the change under way. */
  readonly before?: number;
  /** At least one instance of some process runs. */
  readonly serves: boolean;
  /** What the app says of itself while it is not ready. */
  readonly trouble?: { readonly reason: string; readonly message: string };
  /** Since when it is as it is. */
  readonly since?: string;
  readonly paused: boolean;
}

export function appStanding(object: CfApp): AppStanding {
  const app = legible(object);
  const conditions = app.status?.conditions ?? [];
  const ready = conditions.find((condition) => condition.type === 'Ready');
  const situation = situationOf(app, conditions);
  const before = 'mark' in situation ? situation.mark.previous?.appRev : undefined;
  return {
    app,
    situation,
    appRev: revisionsOf(app).appRev,
    ...(before !== undefined && { before }),
    serves: app.status?.actualState === 'STARTED',
    ...(ready?.status === 'False' && { trouble: { reason: String(ready.reason), message: String(ready.message) } }),
    ...(typeof ready?.lastTransitionTime === 'string' && { since: ready.lastTransitionTime }),
    paused: switchedOn(app, control.paused),
  };
}

/** An app of which every condition can be read: an older definition, or whoever may write a status, lets through anything. */
function legible(object: CfApp): CfApp {
  const app = wellFormedApp(object);
  const status: NonNullable<CfApp['status']> = isObject(app.status) ? app.status : {};
  const conditions = Array.isArray(status.conditions) ? status.conditions.filter((one): boolean => isObject(one)) : [];
  return { ...app, status: { ...status, conditions } };
}

type Conditions = NonNullable<NonNullable<CfApp['status']>['conditions']>;

function situationOf(app: CfApp, conditions: Conditions): Situation {
  if (app.metadata.deletionTimestamp !== undefined) return { is: 'deleting' };
  if (app.spec.desiredState === 'STOPPED') return isReady(app) || !isLeft(app) ? { is: 'stopped' } : { is: 'stopping' };
  if (!app.spec.currentDropletRef?.name) return { is: 'without-droplet' };
  const { appRev } = revisionsOf(app);
  const through = isReady(app) && app.status?.observedAppRev === String(appRev);
  if (through) return { is: 'running' };
  const mark = deploymentMark(app);
  if (mark?.canceled) return { is: 'returning', mark };
  if (mark?.appRev !== appRev) return { is: 'starting' };
  const waits = conditions.some(({ type, status }) => type === 'CanaryWaiting' && status === 'True');
  return waits ? { is: 'canary', mark } : { is: 'rolling', mark };
}

/** A stopped app without a droplet is never Ready, and has nothing left that could end. */
function isLeft({ status }: CfApp): boolean {
  return status?.actualState === 'STARTED';
}
