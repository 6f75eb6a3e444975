import type { Caches } from '../../control/caches.ts';
import type { Controller } from '../../control/controller.ts';
import type { AnyController } from '../../control/operator.ts';
import { keyOf } from '../../kube/reflector/key.ts';
import { decideAppWorkload } from '../decide/app-workload.ts';
import { labels } from '../keys.ts';
import { type AppWorkloadView, appWorkloadView } from '../observe/app-workload-view.ts';
import { openCloudFoundryCaches, workload as workloadOf } from '../observe/caches.ts';
import { type AppWorkload, appWorkload } from '../resources/app-workload.ts';
import { by } from './by.ts';
import { identity } from './identity.ts';
import type { CloudFoundryControllersOptions } from './options.ts';

/** The runner: a StatefulSet for each workload that is for it. */
export function appWorkloadController({
  client,
  settings,
}: CloudFoundryControllersOptions): (caches: Caches) => AnyController {
  return (opened) => {
    const { workloads, statefulSets, pods, podDisruptionBudgets } = openCloudFoundryCaches(opened, settings);
    const sources = { client, caches: { statefulSets, pods, podDisruptionBudgets }, settings };
    const controller: Controller<AppWorkload, AppWorkloadView> = {
      ...identity(appWorkload),
      name: 'appworkload',
      primary: workloads,
      triggers: [
        by(statefulSets, workloadOf),
        by(pods, workloadOf),
        by(podDisruptionBudgets, ({ metadata }) => {
          const process = `${metadata.namespace}/${metadata.labels?.[labels.guid]}`;
          return workloads.by('process', process).map(keyOf);
        }),
      ],
      observe: (key, glance) => appWorkloadView(key, glance, sources),
      decide: decideAppWorkload,
    };
    return controller;
  };
}
