import type { Caches } from '../../control/caches.ts';
import type { Controller } from '../../control/controller.ts';
import type { AnyController } from '../../control/operator.ts';
import { keyOf } from '../../kube/reflector/key.ts';
import { decideCfProcess } from '../decide/cf-process.ts';
import { appOf, openCloudFoundryCaches, processOfWorkload } from '../observe/caches.ts';
import { type CfProcessView, cfProcessView } from '../observe/cf-process-view.ts';
import { appWorkload } from '../resources/app-workload.ts';
import { type CfProcess, cfProcess } from '../resources/cf-process.ts';
import { by } from './by.ts';
import { identity } from './identity.ts';
import type { CloudFoundryControllersOptions } from './options.ts';

/** Runs each process of an app as one AppWorkload since the last stop. */
export function cfProcessController(options: CloudFoundryControllersOptions): (caches: Caches) => AnyController {
  const { client, settings } = options;
  return (opened) => {
    const { processes, apps, builds, workloads, deployments } = openCloudFoundryCaches(opened, settings);
    const ofApp = (app: string): readonly string[] => processes.by('app', app).map(keyOf);
    const sources = { caches: { apps, builds, workloads, deployments }, client, settings };
    const controller: Controller<CfProcess, CfProcessView> = {
      ...identity(cfProcess),
      name: 'cfprocess',
      primary: processes,
      triggers: [
        by(apps, (app) => ofApp(keyOf(app))),
        by(builds, (build) => appOf(build).flatMap(ofApp)),
        by(deployments, (deployment) => appOf(deployment).flatMap(ofApp)),
        by(workloads, processOfWorkload),
      ],
      kinds: [appWorkload.type],
      observe: (key, glance) => cfProcessView(key, glance, sources),
      decide: decideCfProcess,
    };
    return controller;
  };
}
