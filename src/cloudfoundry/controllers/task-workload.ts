import type { Caches } from '../../control/caches.ts';
import type { Controller } from '../../control/controller.ts';
import type { AnyController } from '../../control/operator.ts';
import { owned } from '../../control/trigger.ts';
import { decideTaskWorkload } from '../decide/task-workload.ts';
import { openCloudFoundryCaches, taskOf } from '../observe/caches.ts';
import { type TaskWorkloadView, taskWorkloadView } from '../observe/task-workload-view.ts';
import { type TaskWorkload, taskWorkload } from '../resources/task-workload.ts';
import { by } from './by.ts';
import { identity } from './identity.ts';
import type { CloudFoundryControllersOptions } from './options.ts';

/** The runner of tasks. */
export function taskWorkloadController({
  client,
  settings,
}: CloudFoundryControllersOptions): (caches: Caches) => AnyController {
  return (opened) => {
    const { taskWorkloads, jobs, taskPods } = openCloudFoundryCaches(opened, settings);
    const sources = { caches: { jobs, taskPods }, client, settings };
    const controller: Controller<TaskWorkload, TaskWorkloadView> = {
      ...identity(taskWorkload),
      name: 'taskworkload',
      primary: taskWorkloads,
      triggers: [owned(jobs, taskWorkload.type), by(taskPods, taskOf)],
      observe: (key, glance) => taskWorkloadView(key, glance, sources),
      decide: decideTaskWorkload,
    };
    return controller;
  };
}
