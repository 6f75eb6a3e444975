import type { KubeObject, ObjectList } from '../object.ts';
import type { ListOptions, Scope, WatchOptions } from '../options.ts';
import type { Resource } from '../resource.ts';
import type { WatchEvent } from '../watch.ts';

/** Where a reflector reads from: the two verbs it needs, for one set of objects. */
export interface ListWatch<T extends KubeObject> {
  /** What is read, for messages: `pods in default`. */
  readonly what: string;
  list(options: Omit<ListOptions, keyof Scope>): Promise<ObjectList<T>>;
  watch(options: Omit<WatchOptions, keyof Scope>): AsyncIterable<WatchEvent<T>>;
}

export interface ListWatchOptions extends Scope {
  /** Only metadata, for kinds of which only the existence matters. Objects are then `PartialObjectMetadata`. */
  readonly metadataOnly?: boolean;
  /** Ask for `metadata.managedFields` too. Default: false, they are skipped before they are decoded. */
  readonly managedFields?: boolean;
}

/** The objects of a resource within a scope; list and watch cannot disagree about it. */
export function listWatch<T extends KubeObject>(resource: Resource<T>, options: ListWatchOptions = {}): ListWatch<T> {
  const { metadataOnly = false, managedFields = false, ...scope } = options;
  return {
    what: scope.namespace ? `${resource.type.plural} in ${scope.namespace}` : resource.type.plural,
    list: (list) => resource.list({ metadataOnly, ...list, ...scope }),
    watch: (watch) => resource.watch({ metadataOnly, withoutManagedFields: !managedFields, ...watch, ...scope }),
  };
}
