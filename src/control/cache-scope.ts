import type { AnyObject, KubeObject, ManagedFieldsEntry } from '../kube/object.ts';
import type { Scope } from '../kube/options.ts';
import { slim } from '../kube/reflector/slim.ts';
import { qualifiedName, type ResourceType } from '../kube/resource-type.ts';
import { matchesFields, parseFieldSelector } from '../kube/selector/field-selector.ts';
import { matches } from '../kube/selector/label-selector.ts';

/** Which objects are cached, and how much of them. */
export interface CacheScope extends Scope {
  readonly type: ResourceType;
  /** Only metadata, for kinds of which only the existence matters. Objects are then `PartialObjectMetadata`. */
  readonly metadataOnly?: boolean;
  /** Keep who wrote when (not what): for kinds that another controller may manage. */
  readonly managedFields?: boolean;
  /**
   * What of each object is worth keeping, beside its metadata. Default: all. An object that is not whole is never taken for
   * what a write would make of it. Two who ask for the same objects share them if they pass the same function.
   */
  readonly keep?: (object: AnyObject) => object;
  /** The kind may not be installed, or not ours to read: then there are none, and nobody waits for them. */
  readonly optional?: boolean;
}

/** Whether a cache of this scope would show the object, as far as can be told from the object alone. */
export function covers(scope: CacheScope, object: AnyObject): boolean {
  const { namespace, labelSelector, fieldSelector } = scope;
  const { metadata } = object;
  if (namespace !== undefined && metadata.namespace !== namespace) return false;
  if (labelSelector !== undefined && !matches(labelSelector, metadata.labels)) return false;
  if (fieldSelector === undefined) return true;
  const requirements =
    typeof fieldSelector === 'string'
      ? parseFieldSelector(fieldSelector)
      : Object.entries(fieldSelector).map(([field, value]) => ({ field, value, not: false }));
  return matchesFields(
    requirements,
    Object.fromEntries(requirements.map(({ field }) => [field, textAt(object, field)])),
  );
}

/** The field that a selector names: `status.phase`. */
function textAt(object: AnyObject, field: string): string | undefined {
  let value: unknown = object;
  for (const name of field.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return typeof value === 'object' ? undefined : String(value);
}

/** What a cache keeps of an object. */
export function keeper(scope: CacheScope): <T extends KubeObject>(object: T) => T {
  return (object) => {
    const { managedFields } = object.metadata;
    const slimmed = slim(object);
    const kept = scope.metadataOnly ? partial(slimmed) : scope.keep ? keptOf(slimmed, scope.keep) : slimmed;
    if (!scope.managedFields || !managedFields) return kept;
    return { ...kept, metadata: { ...kept.metadata, managedFields: managedFields.map(writer) } };
  };
}

/** Whether objects are kept as the server has them. */
export function isWhole({ metadataOnly, keep }: CacheScope): boolean {
  return !metadataOnly && !keep;
}

/** `lamps.toy.dev in team-a` */
export function described(scope: CacheScope): string {
  const { labelSelector, fieldSelector } = scope;
  const where = scope.namespace ? ` in ${scope.namespace}` : '';
  const which = [labelSelector, fieldSelector].filter((selector) => selector !== undefined);
  const text = which.map((selector) => (typeof selector === 'string' ? selector : JSON.stringify(selector)));
  return `${qualifiedName(scope.type)}${where}${text.length > 0 ? ` with ${text.join(' and ')}` : ''}`;
}

function partial<T extends KubeObject>(object: T): T {
  const { metadata } = object;
  return { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata } as T;
}

function keptOf<T extends KubeObject>(object: T, keep: NonNullable<CacheScope['keep']>): T {
  const { apiVersion, kind, metadata } = object;
  return { apiVersion, kind, metadata, ...keep(object as unknown as AnyObject) } as unknown as T;
}

function writer({ manager, operation, subresource, time }: ManagedFieldsEntry): ManagedFieldsEntry {
  return {
    ...(manager !== undefined && { manager }),
    ...(operation && { operation }),
    ...(subresource !== undefined && { subresource }),
    ...(time !== undefined && { time }),
  };
}
