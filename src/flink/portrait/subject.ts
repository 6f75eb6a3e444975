import type { KubeObject } from '../../kube/object.ts';
import type { Subject } from '../../portrait/subject.ts';

export function subjectOf({ apiVersion, kind, metadata }: KubeObject): Subject {
  const { namespace = 'default', name = '', uid = '' } = metadata;
  return { family: 'flink', apiVersion, kind, namespace, name, uid };
}
