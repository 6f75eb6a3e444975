import type { Clock } from '../../clock/clock.ts';
import type { Cached } from '../../control/caches.ts';
import type { Client } from '../../kube/client.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { cfBuild } from '../resources/cf-build.ts';
import { cfDeployment } from '../resources/cf-deployment.ts';
import { cfPackage } from '../resources/cf-package.ts';
import { cfProcess } from '../resources/cf-process.ts';
import { type CfRoute, cfRoute } from '../resources/cf-route.ts';
import { cfTask } from '../resources/cf-task.ts';
import { appOf, appsOfRoute, type CloudFoundryCaches, type OfApp } from './caches.ts';
import { ListedByApp } from './listed-by-app.ts';

/** What names apps, by the API server's word. */
export interface ListedOfApp {
  readonly routes: Pick<ListedByApp<CfRoute>, 'of'>;
  /** What an app has, and goes with it. */
  readonly parts: readonly Pick<ListedByApp<KubeObject>, 'of'>[];
}

export function listedOfApp(
  {
    routes,
    packages,
    builds,
    processes,
    tasks,
    deployments,
  }: Pick<CloudFoundryCaches, 'routes' | 'packages' | 'builds' | 'processes' | 'tasks' | 'deployments'>,
  server: { readonly client: Client; readonly clock: Clock },
): ListedOfApp {
  const part = <T extends OfApp>(type: ResourceType, cached: Pick<Cached<T, 'app'>, 'get' | 'by'>) =>
    new ListedByApp<T>({ ...server, type, cached, appsOf: appOf });
  return {
    routes: new ListedByApp<CfRoute>({ ...server, type: cfRoute.type, cached: routes, appsOf: appsOfRoute }),
    parts: [
      part(cfPackage.type, packages),
      part(cfBuild.type, builds),
      part(cfProcess.type, processes),
      part(cfTask.type, tasks),
      part(cfDeployment.type, deployments),
    ],
  };
}
