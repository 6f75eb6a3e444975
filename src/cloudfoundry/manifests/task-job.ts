import { annotations as controlAnnotations } from '../../control/annotations.ts';
import type { AnyObject } from '../../kube/object.ts';
import { labels } from '../keys.ts';
import type { TaskWorkload } from '../resources/task-workload.ts';
import type { RunnerSettings } from '../settings.ts';
import { ownedBy } from './owned-by.ts';

/** The container of a task. */
export const taskContainer = 'workload';

/** How long Kubernetes keeps a Job that has ended: what became of it is in the status of the task. */
const keptSeconds = 86_400;

/** The Job of a task: it runs once, whatever comes of it, without the rights of anybody. */
export function taskJob(workload: TaskWorkload, runner: RunnerSettings): AnyObject {
  const { metadata, spec } = workload;
  const { name = '', namespace = '', uid } = metadata;
  const appGuid = metadata.labels?.[labels.appGuid];
  const marked = { [labels.taskGuid]: name, ...(appGuid && { [labels.appGuid]: appGuid }) };
  const { nodeSelector, tolerations } = runner;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace,
      labels: marked,
      annotations: { [controlAnnotations.id]: `${uid}-job` },
      ownerReferences: [ownedBy(workload)],
    },
    spec: {
      backoffLimit: 0,
      parallelism: 1,
      completions: 1,
      ttlSecondsAfterFinished: keptSeconds,
      template: {
        metadata: { labels: marked },
        spec: {
          restartPolicy: 'Never',
          serviceAccountName: 'korifi-task',
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          ...(spec.imagePullSecrets?.length && { imagePullSecrets: spec.imagePullSecrets }),
          ...(nodeSelector && { nodeSelector }),
          ...(tolerations && { tolerations }),
          containers: [
            {
              name: taskContainer,
              image: spec.image,
              imagePullPolicy: runner.imagePullPolicy,
              command: spec.command,
              ...(spec.env?.length && { env: spec.env }),
              ...(spec.resources && { resources: spec.resources }),
              securityContext: {
                allowPrivilegeEscalation: false,
                capabilities: { drop: ['ALL'] },
                seccompProfile: { type: 'RuntimeDefault' },
              },
            },
          ],
        },
      },
    },
  };
}
