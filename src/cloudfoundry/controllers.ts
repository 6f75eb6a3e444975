import type { Caches } from '../control/caches.ts';
import type { AnyController } from '../control/operator.ts';
import { appWorkloadController } from './controllers/app-workload.ts';
import { cfAppController } from './controllers/cf-app.ts';
import { cfBuildController } from './controllers/cf-build.ts';
import { cfDeploymentController } from './controllers/cf-deployment.ts';
import { cfDomainController } from './controllers/cf-domain.ts';
import { cfOrgController } from './controllers/cf-org.ts';
import { cfPackageController } from './controllers/cf-package.ts';
import { cfProcessController } from './controllers/cf-process.ts';
import { cfRouteController } from './controllers/cf-route.ts';
import { cfSpaceController } from './controllers/cf-space.ts';
import { cfTaskController } from './controllers/cf-task.ts';
import type { CloudFoundryControllersOptions } from './controllers/options.ts';
import { runnerInfoController } from './controllers/runner-info.ts';
import { taskWorkloadController } from './controllers/task-workload.ts';

const makers = {
  cforg: cfOrgController,
  cfspace: cfSpaceController,
  cfdomain: cfDomainController,
  cfroute: cfRouteController,
  cfapp: cfAppController,
  cfprocess: cfProcessController,
  cfpackage: cfPackageController,
  cfbuild: cfBuildController,
  cfdeployment: cfDeploymentController,
  cftask: cfTaskController,
  appworkload: appWorkloadController,
  runnerinfo: runnerInfoController,
  taskworkload: taskWorkloadController,
} as const;

/**
 * The controllers of the family, by name. One that is switched off is not made: another runner may take its kind. Apps,
 * processes, workloads and routes of a space look at each other all the time: one replica acts on all of them.
 */
export function cloudFoundryControllers(
  options: CloudFoundryControllersOptions,
): Record<keyof typeof makers, (caches: Caches) => AnyController> {
  const made = Object.entries(makers).map(([name, make]) => {
    const controller = make(options);
    return [name, (caches: Caches): AnyController => ({ ...controller(caches), shardBy: 'namespace' })];
  });
  return Object.fromEntries(made) as ReturnType<typeof cloudFoundryControllers>;
}
