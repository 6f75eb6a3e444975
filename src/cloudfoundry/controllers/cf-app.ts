import type { Caches } from '../../control/caches.ts';
import type { Controller } from '../../control/controller.ts';
import type { AnyController } from '../../control/operator.ts';
import { keyOf } from '../../kube/reflector/key.ts';
import { decideCfApp } from '../decide/cf-app.ts';
import { appOf, appsOfRoute, openCloudFoundryCaches } from '../observe/caches.ts';
import { type CfAppView, cfAppView } from '../observe/cf-app-view.ts';
import { listedOfApp } from '../observe/listed-of-app.ts';
import type { AppWorkload } from '../resources/app-workload.ts';
import { type CfApp, cfApp } from '../resources/cf-app.ts';
import { cfPackage } from '../resources/cf-package.ts';
import { cfTask } from '../resources/cf-task.ts';
import { by, plain } from './by.ts';
import { identity } from './identity.ts';
import type { CloudFoundryControllersOptions } from './options.ts';

/** What an app consists of, and whether it is as it should be. A change of its environment is none of its triggers. */
export function cfAppController(options: CloudFoundryControllersOptions): (caches: Caches) => AnyController {
  const { client, clock, settings, seal } = options;
  return (opened) => {
    const all = openCloudFoundryCaches(opened, settings);
    const { apps, builds, packages, processes, tasks, workloads, routes, namespaces, spaces, orgs, deployments } = all;
    const caches = { builds, packages, processes, tasks, workloads, routes, namespaces, spaces, orgs, deployments };
    const listed = listedOfApp(caches, { client, clock });
    const within = (namespace: string): string[] =>
      [...apps.all()].filter(({ metadata }) => metadata.namespace === namespace).map(keyOf);
    const controller: Controller<CfApp, CfAppView> = {
      ...identity(cfApp),
      name: 'cfapp',
      primary: apps,
      triggers: [
        by(processes, appOf),
        by(builds, (build) => apps.by('droplet', keyOf(build)).map(keyOf)),
        by(routes, appsOfRoute),
        by(workloads, (workload) => concerned(workload, (key) => apps.get(key))),
        by(deployments, appOf),
        // Their names are told to apps. They hardly ever change.
        by(spaces, ({ metadata }) => within(metadata.name ?? '')),
        by(orgs, ({ metadata }) =>
          spaces.by('org', metadata.name ?? '').flatMap((space) => within(space.metadata.name ?? '')),
        ),
        by(namespaces, ({ metadata }) => within(metadata.name ?? '')),
      ],
      // An app that goes takes them along.
      reads: [plain(packages), plain(tasks)],
      kinds: [cfPackage.type, cfTask.type],
      observe: (key, glance) => cfAppView(key, glance, { caches, client, listed, settings, seal }),
      decide: decideCfApp,
    };
    return controller;
  };
}

/**
 * What a workload does is told by its process. The app itself looks only when something may have ended: the last workload
 * of a stopped app, or the roll after which old environments can go.
 */
function concerned({ metadata, spec, status }: AppWorkload, appOfKey: (key: string) => CfApp | undefined): string[] {
  const guid = (spec as Partial<AppWorkload['spec']> | undefined)?.appGUID;
  if (!guid) return [];
  const key = `${metadata.namespace}/${guid}`;
  const settled = status?.observedAppRev === spec.version;
  return settled || appOfKey(key)?.spec?.desiredState === 'STOPPED' ? [key] : [];
}
