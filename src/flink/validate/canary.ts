import { isObject } from '../../change/equal.ts';
import type { KubeObject } from '../../kube/object.ts';

/** A resource that only shows whether the operator is awake: never deployed, so nothing in it can be wrong. */
export function isCanary({ metadata: { labels } }: KubeObject): boolean {
  return isObject(labels) && labels['flink.apache.org/canary'] === 'true';
}
