import type { JsonObject } from '../../../kube/object.ts';
import { type DeploymentMark, deploymentMark, markText } from '../../deployment-mark.ts';
import { annotations } from '../../keys.ts';
import type { CfApp } from '../../resources/cf-app.ts';
import { bumpedAtDeployment, revisionsOf } from '../../revision.ts';

export interface BeginDeployment {
  /** The CFDeployment that was made for it. */
  readonly guid: string;
  readonly droplet: string;
  /** Whether the deployment of the app's present mark is still ACTIVE: it is superseded then. */
  readonly underWay: boolean;
}

/**
 * The one write that begins a deployment: revision, droplet, state, and to whom they belong. Before it the record is inert,
 * after it nothing else needs to be written.
 */
export function beginDeployment(app: CfApp, { guid, droplet, underWay }: BeginDeployment): JsonObject {
  const revisions = bumpedAtDeployment(app);
  const present = deploymentMark(app);
  const supersedes = underWay && present ? [present.guid, ...(present.supersedes ?? [])].slice(0, 10) : [];
  const previous = previousOf(app, underWay ? present : undefined);
  const mark: DeploymentMark = {
    guid,
    appRev: Number(revisions[annotations.appRev]),
    ...(previous && { previous }),
    ...(supersedes.length > 0 && { supersedes }),
  };
  return {
    metadata: { annotations: { ...revisions, [annotations.deployment]: markText(mark) } },
    spec: { desiredState: 'STARTED', currentDropletRef: { name: droplet } },
  };
}

/**
 * Where a cancel returns to: the last revision that was deployed to the end. While another deployment is under way that is
 * where this one would have returned to, for its own revision has never run on all instances. A stopped app has nothing to
 * return to, nor has one whose revision was stopped since: its workload is gone.
 */
export function previousOf(app: CfApp, underWay: DeploymentMark | undefined): DeploymentMark['previous'] {
  if (app.spec.desiredState === 'STOPPED') return undefined;
  const { appRev, lastStopAppRev } = revisionsOf(app);
  if (underWay && underWay.appRev > lastStopAppRev) return underWay.previous;
  const droplet = app.spec.currentDropletRef?.name;
  return { appRev, ...(droplet && { droplet }) };
}
