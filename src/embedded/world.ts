import type { Clock } from '../clock/clock.ts';
import type { Random } from '../clock/random.ts';
import type { AnyObject, Json, KubeObject } from '../kube/object.ts';
import type { ResourceType } from '../kube/resource-type.ts';

/** One change in the store. `before` is absent for a new object, `after` for one that is gone. */
export interface Change<T extends KubeObject = AnyObject> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/** Which objects to read. */
export interface Where {
  readonly namespace?: string;
  /** Objects that have an owner reference with this uid. */
  readonly owner?: string;
}

/**
 * How the built-in controllers and nodes see and change the cluster: reads are instant and frozen, writes go through
 * the same path as a user's request (defaults, validation, admission, managed fields) under the controller's name.
 *
 * Writes reject with a `StatusError`. `update` and `updateStatus` fail with a conflict when the object's
 * resourceVersion is not the stored one.
 */
export interface World {
  readonly clock: Clock;
  readonly random: Random;
  get<T extends KubeObject = AnyObject>(type: ResourceType, namespace: string | undefined, name: string): T | undefined;
  list<T extends KubeObject = AnyObject>(type: ResourceType, where?: Where): readonly T[];
  create<T extends KubeObject>(type: ResourceType, object: T): Promise<T>;
  update<T extends KubeObject>(type: ResourceType, object: T): Promise<T>;
  updateStatus<T extends KubeObject>(type: ResourceType, object: T): Promise<T>;
  /** JSON merge patch of the main resource. */
  patch(type: ResourceType, namespace: string | undefined, name: string, patch: Json): Promise<AnyObject>;
  /** Assigns a pod to a node, as a scheduler does by `pods/binding`: nothing else may. */
  bind(pod: KubeObject, node: string): Promise<void>;
  /** Resolves also when the object is already gone, or is another object of the same name. */
  remove(type: ResourceType, object: KubeObject, options?: RemoveOptions): Promise<void>;
  /** Calls for every change of the resource from now on, in order of resourceVersion. Returns the way to stop. */
  watch<T extends KubeObject = AnyObject>(type: ResourceType, handler: (change: Change<T>) => void): () => void;
  /** Every resource served now, custom ones included: for garbage collection and namespace deletion. */
  types(): readonly ResourceType[];
}

export interface RemoveOptions {
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
  readonly graceSeconds?: number;
}
