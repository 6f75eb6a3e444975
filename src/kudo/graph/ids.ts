import type { KubeObject } from '../../kube/object.ts';
import { groupOf, workloadOf } from './workload.ts';

export const parameterId = (name: string): string => `param/${name}`;
export const planId = (name: string): string => `plan/${name}`;
export const taskId = (name: string): string => `task/${name}`;
export const templateId = (file: string): string => `template/${file}`;

/** Two objects of one name whose kinds differ only in their group get two ids; kinds of Kubernetes itself need no group. */
export function objectId(object: KubeObject): string {
  const group = groupOf(object.apiVersion);
  const ours = !group.includes('.') || group.endsWith('.k8s.io');
  const kind = ours ? object.kind : `${object.kind}.${group}`;
  return `${workloadOf(object) ? 'workload' : 'object'}/${kind}/${object.metadata.name ?? ''}`;
}
