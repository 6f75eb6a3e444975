import type { KubeObject } from '../../kube/object.ts';
import type { FieldPath } from './changed-fields.ts';
import { workloadOf } from './workload.ts';

/** Whether a field of an object is in the template of its pods; also if the whole object, or all around it, changes. */
export function reachesPodTemplate(object: KubeObject, field: FieldPath): boolean {
  const workload = workloadOf(object);
  if (workload === undefined) return false;
  return workload.path.every((name, index) => index >= field.length || field[index] === name);
}
