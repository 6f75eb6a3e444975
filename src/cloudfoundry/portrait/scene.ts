import { kinds } from '../../kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import type { Around } from '../../portrait/workload.ts';
import { type DeploymentStanding, deploymentStatus } from '../decide/deployment-status.ts';
import { deploymentMark } from '../deployment-mark.ts';
import { labels } from '../keys.ts';
import { type AppWorkload, appWorkload } from '../resources/app-workload.ts';
import type { CfApp } from '../resources/cf-app.ts';
import { type CfDeployment, cfDeployment } from '../resources/cf-deployment.ts';
import { type CfProcess, cfProcess } from '../resources/cf-process.ts';
import { type CfRoute, cfRoute } from '../resources/cf-route.ts';
import { type AppStanding, appStanding } from './situation.ts';

/** The kinds that are looked at around an app. */
export const besideApps: readonly ResourceType[] = [
  cfProcess.type,
  cfDeployment.type,
  appWorkload.type,
  cfRoute.type,
  kinds.statefulSets,
  kinds.pods,
];

/** An app with all that belongs to it, as it is now. What could not be read is empty. */
export interface Scene extends AppStanding {
  readonly now: number;
  /** The web process first. */
  readonly processes: readonly CfProcess[];
  readonly workloads: readonly AppWorkload[];
  readonly sets: readonly AnyObject[];
  readonly pods: readonly AnyObject[];
  readonly routes: readonly CfRoute[];
  /** The newest first. */
  readonly deployments: readonly { readonly record: CfDeployment; readonly standing: DeploymentStanding }[];
  /** The deployment that the present revision belongs to. */
  readonly current?: { readonly record: CfDeployment; readonly standing: DeploymentStanding };
}

export function sceneOf(object: AnyObject, around: Around): Scene {
  const standing = appStanding(object as unknown as CfApp);
  const { app } = standing;
  const guid = app.metadata.name ?? '';
  const all = <T extends KubeObject>(type: ResourceType): readonly T[] => {
    // Whatever lacks a spec is none of ours.
    return (around.list(type) ?? []).filter(({ spec }) => typeof spec === 'object' && spec !== null) as never;
  };
  const labelled = (type: ResourceType): readonly AnyObject[] =>
    all<AnyObject>(type).filter(({ metadata }) => metadata.labels?.[labels.appGuid] === guid);
  const deployments = all<CfDeployment>(cfDeployment.type)
    .filter(({ spec }) => spec.appRef?.name === guid)
    .toSorted((a, b) => newestFirst(a, b))
    .map((record) => ({ record, standing: deploymentStatus(record, app, around.now) }));
  const marked = deploymentMark(app)?.guid;
  const current = deployments.find(({ record }) => record.metadata.name === marked);
  return {
    ...standing,
    now: around.now,
    processes: all<CfProcess>(cfProcess.type)
      .filter(({ spec }) => spec.appRef?.name === guid)
      .toSorted((a, b) => rank(a) - rank(b) || (a.spec.processType < b.spec.processType ? -1 : 1)),
    workloads: all<AppWorkload>(appWorkload.type).filter(({ spec }) => spec.appGUID === guid),
    sets: labelled(kinds.statefulSets),
    pods: labelled(kinds.pods).toSorted((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1)),
    routes: all<CfRoute>(cfRoute.type).filter(({ spec }) => namesApp(spec, guid)),
    deployments,
    ...(current && { current }),
  };
}

function namesApp(spec: CfRoute['spec'], guid: string): boolean {
  return Array.isArray(spec.destinations) && spec.destinations.some((one) => one?.appRef?.name === guid);
}

function rank({ spec }: CfProcess): number {
  return spec.processType === 'web' ? 0 : 1;
}

function newestFirst(a: KubeObject, b: KubeObject): number {
  const [left = '', right = ''] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
  return left === right ? ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1) : left < right ? 1 : -1;
}
