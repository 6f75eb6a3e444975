import type { KubeObject } from '../object.ts';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** The object without what no reader of a cache wants: managed fields and kubectl's copy of the whole manifest. */
export function slim<T extends KubeObject>(object: T): T {
  const { managedFields, annotations } = object.metadata;
  const copied = annotations !== undefined && Object.hasOwn(annotations, lastApplied);
  if (managedFields === undefined && !copied) return object;
  const { managedFields: _managedFields, ...metadata } = object.metadata;
  if (!copied) return { ...object, metadata };
  const { [lastApplied]: _lastApplied, ...kept } = annotations;
  return { ...object, metadata: { ...metadata, annotations: kept } };
}
