import type { Caches } from '../../control/caches.ts';
import type { Controller } from '../../control/controller.ts';
import type { AnyController } from '../../control/operator.ts';
import type { KubeObject } from '../../kube/object.ts';
import { keyOf } from '../../kube/reflector/key.ts';
import { decideCfDeployment } from '../decide/cf-deployment.ts';
import { hasEnded } from '../decide/deployment-status.ts';
import { appOf, openCloudFoundryCaches } from '../observe/caches.ts';
import { type CfDeploymentView, cfDeploymentView } from '../observe/cf-deployment-view.ts';
import { type CfDeployment, cfDeployment } from '../resources/cf-deployment.ts';
import { by } from './by.ts';
import { identity } from './identity.ts';
import type { CloudFoundryControllersOptions } from './options.ts';

/** Keeps the records of deployments. */
export function cfDeploymentController(options: CloudFoundryControllersOptions): (caches: Caches) => AnyController {
  const { client, settings, seal } = options;
  return (opened) => {
    const { processes, apps, workloads, deployments } = openCloudFoundryCaches(opened, settings);
    const underWay = (app: string): readonly string[] =>
      deployments
        .by('app', app)
        .filter((one) => !hasEnded(one, apps.get(app)))
        .map(keyOf);
    const appByGuid = (workload: KubeObject & { readonly spec?: { readonly appGUID?: string } }): readonly string[] =>
      workload.spec?.appGUID ? underWay(`${workload.metadata.namespace}/${workload.spec.appGUID}`) : [];
    const controller: Controller<CfDeployment, CfDeploymentView> = {
      ...identity(cfDeployment),
      name: 'cfdeployment',
      primary: deployments,
      triggers: [
        by(apps, (app) => underWay(keyOf(app))),
        by(processes, (process) => appOf(process).flatMap(underWay)),
        by(workloads, appByGuid),
        // One that ends may be one too many for the history.
        by(deployments, (one) => appOf(one).flatMap((app) => deployments.by('app', app).map(keyOf))),
      ],
      observe: (_key, glance) =>
        cfDeploymentView(glance, { caches: { apps, processes, workloads, deployments }, client, seal, settings }),
      decide: decideCfDeployment,
    };
    return controller;
  };
}
