import type { AnyObject } from '../../kube/object.ts';
import { apiVersionOf, qualifiedName, type ResourceType } from '../../kube/resource-type.ts';
import { eventFromCore, eventToCore } from '../kinds/event-versions.ts';
import type { Draft } from '../resource.ts';
import { type Entry, encode, head, type Key } from '../store/entry.ts';
import type { Store } from '../store/store.ts';
import type { Outcome } from './ground.ts';

/**
 * Objects are stored in the version they were last written in; a reader in another version sees them with that
 * version's `apiVersion`. This is what CRDs without a conversion webhook do, and enough for built-in kinds, whose
 * served versions have one shape each. Events are the exception: two groups, two shapes, one thing.
 */
const isNewEvent = (type: Pick<ResourceType, 'group' | 'plural'>): boolean =>
  type.group === 'events.k8s.io' && type.plural === 'events';

/** Where the objects of a resource are stored. */
export function bucketOf(type: Pick<ResourceType, 'group' | 'plural'>): string {
  return isNewEvent(type) ? 'events' : qualifiedName(type);
}

export function keyOf(type: ResourceType, namespace: string, name: string): Key {
  return { bucket: bucketOf(type), namespace: type.namespaced ? namespace : '', name };
}

/** The stored form of an object of this type. Takes the draft over. */
export function toStorage(type: ResourceType, draft: Draft): Draft {
  return isNewEvent(type) ? eventToCore(draft) : draft;
}

/** An entry as readers of `type` see it. */
export function objectAs(type: ResourceType, store: Store, entry: Entry): AnyObject {
  const object = store.object(entry);
  const apiVersion = apiVersionOf(type);
  if (object.apiVersion === apiVersion) return object;
  return Object.freeze(isNewEvent(type) ? eventFromCore(object) : { ...object, apiVersion });
}

/** The same as text. */
export function jsonAs(type: ResourceType, store: Store, entry: Entry): string {
  const wanted = head(apiVersionOf(type), type.kind);
  if (entry.json.startsWith(wanted)) return entry.json;
  if (isNewEvent(type)) return encode(objectAs(type, store, entry));
  return wanted + entry.json.slice(head(store.object(entry).apiVersion, type.kind).length);
}

/** An entry as the answer to a request. */
export function outcomeOf(code: number, type: ResourceType, store: Store, entry: Entry): Outcome {
  return {
    code,
    get object() {
      return objectAs(type, store, entry);
    },
    get json() {
      return jsonAs(type, store, entry);
    },
  };
}

/** An object that is not stored, as the answer to a request. */
export function outcomeOfObject(code: number, object: AnyObject): Outcome {
  return {
    code,
    object,
    get json() {
      return encode(object);
    },
  };
}
