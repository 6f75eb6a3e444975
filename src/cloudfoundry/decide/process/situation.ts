import { type DeploymentMark, deploymentMark } from '../../deployment-mark.ts';
import { annotations } from '../../keys.ts';
import type { CfProcessView } from '../../observe/cf-process-view.ts';
import type { AppWorkload } from '../../resources/app-workload.ts';
import type { CfApp } from '../../resources/cf-app.ts';
import type { CfDeployment } from '../../resources/cf-deployment.ts';
import { type Revisions, revisionsOf } from '../../revision.ts';
import { wantedInstances } from '../../wanted-instances.ts';
import { deploymentStatus } from '../deployment-status.ts';

/** A view, and what follows from it at once. */
export interface Situation extends CfProcessView {
  readonly app: CfApp;
  readonly revisions: Revisions;
  /** How many instances should run: none of a stopped app. */
  readonly instances: number;
  /** The workload since the last stop, if it is not ending. */
  readonly workload?: AppWorkload;
  /** The others: of an earlier stop, or ending. */
  readonly others: readonly AppWorkload[];
  /** The deployment that is under way for the present revision, or goes back to it. */
  readonly active?: { readonly mark: DeploymentMark; readonly record: CfDeployment; readonly goesBack: boolean };
}

export function situation(view: CfProcessView, app: CfApp): Situation {
  const revisions = revisionsOf(app);
  const wanted = app.spec.desiredState === 'STARTED' ? wantedInstances(view.process.spec) : 0;
  const workload = view.workloads.find((one) => isCurrent(one, revisions));
  const active = activeDeployment(view, app);
  return {
    ...view,
    app,
    revisions,
    instances: wanted,
    ...(workload && { workload }),
    others: view.workloads.filter((one) => one !== workload),
    ...(active && { active }),
  };
}

/**
 * Seed 002: the workload lives on until the app is stopped. It is known by its `last-stop-app-rev`, whatever its name: one
 * that was made under a published name is kept. One from before there was this annotation has its revision instead.
 */
export function isCurrent({ metadata, spec }: AppWorkload, { lastStopAppRev }: Revisions): boolean {
  return (
    metadata.deletionTimestamp === undefined &&
    (metadata.annotations?.[annotations.lastStopAppRev] ?? spec.version) === String(lastStopAppRev)
  );
}

function activeDeployment({ deployment, now }: CfProcessView, app: CfApp): Situation['active'] {
  const mark = deploymentMark(app);
  if (!mark || deployment?.metadata.name !== mark.guid) return undefined;
  const { value, reason } = deploymentStatus(deployment, app, now);
  return value === 'ACTIVE' ? { mark, record: deployment, goesBack: reason === 'CANCELING' } : undefined;
}
