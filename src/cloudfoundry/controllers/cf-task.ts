import type { Caches } from '../../control/caches.ts';
import type { Controller } from '../../control/controller.ts';
import type { AnyController } from '../../control/operator.ts';
import { owned } from '../../control/trigger.ts';
import { keyOf } from '../../kube/reflector/key.ts';
import { decideCfTask } from '../decide/cf-task.ts';
import { hasEnded } from '../decide/task/conditions.ts';
import { appOf, openCloudFoundryCaches } from '../observe/caches.ts';
import { type CfTaskView, cfTaskView } from '../observe/cf-task-view.ts';
import { type CfTask, cfTask } from '../resources/cf-task.ts';
import { by } from './by.ts';
import { identity } from './identity.ts';
import type { CloudFoundryControllersOptions } from './options.ts';

/** Tasks: commands that run once. */
export function cfTaskController({
  client,
  settings,
}: CloudFoundryControllersOptions): (caches: Caches) => AnyController {
  return (opened) => {
    const { apps, builds, tasks, taskWorkloads } = openCloudFoundryCaches(opened, settings);
    const sources = { caches: { apps, builds, tasks, taskWorkloads }, client, settings };
    const waiting = (app: string): string[] =>
      tasks
        .by('app', app)
        .filter(({ status }) => !hasEnded(status?.conditions))
        .map(keyOf);
    const controller: Controller<CfTask, CfTaskView> = {
      ...identity(cfTask),
      name: 'cftask',
      primary: tasks,
      triggers: [
        owned(taskWorkloads, cfTask.type),
        by(apps, (app) => waiting(keyOf(app))),
        by(builds, (build) => appOf(build).flatMap(waiting)),
      ],
      // One after the other: a task's number is one more than the last, and what was written is seen by the next.
      workers: 1,
      observe: (key, glance) => cfTaskView(key, glance, sources),
      decide: decideCfTask,
    };
    return controller;
  };
}
