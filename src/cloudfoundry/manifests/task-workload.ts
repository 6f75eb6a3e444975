import { annotations as controlAnnotations } from '../../control/annotations.ts';
import { annotations, labels } from '../keys.ts';
import type { CfTask } from '../resources/cf-task.ts';
import { type TaskWorkload, taskWorkload } from '../resources/task-workload.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import { appEnvironment } from './app-environment.ts';
import { ownedBy } from './owned-by.ts';
import { memoryQuantity } from './quantity.ts';

export interface TaskParts {
  readonly task: CfTask;
  readonly appGuid: string;
  readonly lifecycle: 'buildpack' | 'docker';
  readonly droplet: { readonly image: string; readonly imagePullSecrets?: readonly { readonly name?: string }[] };
  readonly env: { readonly secretName: string; readonly names: readonly string[] };
  readonly memoryMB: number;
  readonly diskQuotaMB: number;
  readonly settings: Pick<CloudFoundrySettings, 'version'>;
}

/** What is handed to whoever runs tasks. It has the name of the task, so a task is handed over once. */
export function newTaskWorkload(parts: TaskParts): TaskWorkload {
  const { task, appGuid, droplet, memoryMB } = parts;
  const { name = '', namespace = '', uid } = task.metadata;
  const { command } = task.spec;
  const storage = { memory: memoryQuantity(memoryMB), 'ephemeral-storage': memoryQuantity(parts.diskQuotaMB) };
  return {
    apiVersion: taskWorkload.apiVersion,
    kind: taskWorkload.type.kind,
    metadata: {
      name,
      namespace,
      labels: { [labels.taskGuid]: name, [labels.appGuid]: appGuid },
      annotations: {
        [annotations.creationVersion]: parts.settings.version,
        [controlAnnotations.id]: `${uid}-task`,
      },
      ownerReferences: [ownedBy(task)],
    },
    spec: {
      // Images of the docker lifecycle have no launcher.
      command: parts.lifecycle === 'docker' ? ['/bin/sh', '-c', command] : ['/cnb/lifecycle/launcher', command],
      image: droplet.image,
      ...(droplet.imagePullSecrets?.length && { imagePullSecrets: droplet.imagePullSecrets }),
      env: appEnvironment(appGuid, parts.env),
      resources: {
        limits: storage,
        requests: { cpu: `${Math.max(5, Math.floor((100 * memoryMB) / 1024))}m`, ...storage },
      },
    },
  };
}
