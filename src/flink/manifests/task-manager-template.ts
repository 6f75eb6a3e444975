import { stringify } from 'yaml';
import type { AnyObject } from '../../kube/object.ts';
import type { Blueprint } from './blueprint.ts';
import type { Mounted } from './kube-types.ts';
import { commonLabels, metadata, ownedByDeployment } from './metadata.ts';

/** Where a native JobManager looks for the template of the TaskManager pods that it makes. */
const directory = '/opt/flink/pod-template';
const file = 'taskmanager-pod-template.yaml';

/** The template of TaskManager pods for a native JobManager, if users have one. */
export function taskManagerTemplate(blueprint: Blueprint, deploymentUid: string): AnyObject | undefined {
  const template = blueprint.mode === 'native' ? blueprint.templates.taskManager : undefined;
  return (
    template && {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: metadata(blueprint, {
        name: nameOf(blueprint),
        owner: ownedByDeployment(blueprint, deploymentUid),
        labels: commonLabels(blueprint),
      }),
      data: { [file]: stringify(template) },
    }
  );
}

/** Its place in the JobManager's pod. */
export function podTemplateMount(blueprint: Blueprint): Mounted[] {
  if (blueprint.mode !== 'native' || !blueprint.templates.taskManager) return [];
  const volume = {
    name: 'pod-template-volume',
    configMap: { name: nameOf(blueprint), items: [{ key: file, path: file }] },
  };
  return [{ volume, mountPath: directory }];
}

function nameOf({ plan }: Blueprint): string {
  return `pod-template-${plan.owner.name}`;
}
