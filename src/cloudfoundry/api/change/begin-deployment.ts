import type { JsonObject } from '../../../kube/object.ts';
import { type DeploymentMark, deploymentMark, markText } from '../../deployment-mark.ts';
import { annotations } from '../../keys.ts';
import type { CfApp } from '../../resources/cf-app.ts';
import { bumpedAtDeployment, revisionsOf } from '../../revision.ts';

export interface BeginDeployment {
  /** The CFDeployment that was made for it. */
  readonly guid: string;
  readonly droplet: string;
  /** Whether the deployment of the app's present mark is still ACTIVE: then this one returns to where that one would have. */
  readonly underWay: boolean;
}

/**
 * The one write that begins a deployment: revision, droplet, state, and to whom they belong. Before it the record is inert,
 * after it nothing else needs to be written.
 */
export function beginDeployment(app: CfApp, { guid, droplet, underWay }: BeginDeployment): JsonObject {
  const revisions = bumpedAtDeployment(app);
  const present = deploymentMark(app);
  // Also one that is over: until its record says so, only a mark tells it from one that is about to begin.
  const supersedes = present ? [present.guid, ...(present.supersedes ?? [])].slice(0, 10) : [];
  const mark: DeploymentMark = {
    guid,
    appRev: Number(revisions[annotations.appRev]),
    ...wayBack(app, underWay),
    ...(supersedes.length > 0 && { supersedes }),
  };
  return {
    metadata: { annotations: { ...revisions, [annotations.deployment]: markText(mark) } },
    spec: { desiredState: 'STARTED', currentDropletRef: { name: droplet } },
  };
}

/** The droplet that a cancel would return to; `undefined` for an app that has none. */
export function dropletBefore(app: CfApp, underWay: boolean): string | undefined {
  const { previous, stopped } = wayBack(app, underWay);
  return (previous ?? stopped)?.droplet;
}

/**
 * Where a cancel returns to: the last revision that was deployed to the end. While another deployment is under way that is
 * where this one would have returned to, for its own revision has never run on all instances. A stopped app returns to being
 * stopped; and nothing returns to before a stop, for the workload of then is gone.
 */
function wayBack(app: CfApp, underWay: boolean): Pick<DeploymentMark, 'previous' | 'stopped'> {
  const { appRev, lastStopAppRev } = revisionsOf(app);
  if (app.spec.desiredState === 'STOPPED') return { stopped: named(app.spec.currentDropletRef?.name) };
  const present = underWay ? deploymentMark(app) : undefined;
  if (present && present.appRev > lastStopAppRev) {
    const { previous, stopped } = present;
    return { ...(previous && { previous }), ...(stopped && { stopped }) };
  }
  // What the revision runs: the current droplet may have been changed since, for this very deployment.
  const { revision } = app.status ?? {};
  const taken = revision?.appRev === String(appRev) ? revision.droplet : undefined;
  return { previous: { appRev, ...named(taken ?? app.spec.currentDropletRef?.name) } };
}

function named(droplet: string | undefined): { readonly droplet?: string } {
  return droplet ? { droplet } : {};
}
