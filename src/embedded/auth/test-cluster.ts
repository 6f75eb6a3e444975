import type { AnyObject } from '../../kube/object.ts';
import type { Change } from '../world.ts';
import type { WatchedCluster } from './cluster.ts';

const groupOf = (object: AnyObject): string =>
  object.apiVersion.includes('/') ? (object.apiVersion.split('/')[0] ?? '') : '';

/** A cluster for tests: objects by kind (`Role` is found as `roles`), with changes told to whoever watches. */
export class TestCluster implements WatchedCluster {
  readonly #objects = new Map<string, AnyObject>();
  readonly #handlers = new Map<string, Set<(change: Change) => void>>();

  constructor(...objects: readonly AnyObject[]) {
    for (const object of objects) this.put(object);
  }

  put(object: AnyObject): void {
    const before = this.#objects.get(this.#key(object));
    this.#objects.set(this.#key(object), object);
    this.#tell(object, { before, after: object });
  }

  remove(object: AnyObject): void {
    this.#objects.delete(this.#key(object));
    this.#tell(object, { before: object, after: undefined });
  }

  read(group: string, plural: string, namespace: string | undefined, name: string): AnyObject | undefined {
    return this.#objects.get(`${group}/${plural}/${namespace ?? ''}/${name}`);
  }

  all(group: string, plural: string, namespace?: string): readonly AnyObject[] {
    const prefix = `${group}/${plural}/${namespace === undefined ? '' : `${namespace}/`}`;
    return [...this.#objects].filter(([key]) => key.startsWith(prefix)).map(([, object]) => object);
  }

  watch(group: string, plural: string, handler: (change: Change) => void): () => void {
    const handlers = this.#handlers.get(`${group}/${plural}`) ?? new Set();
    this.#handlers.set(`${group}/${plural}`, handlers);
    handlers.add(handler);
    return () => void handlers.delete(handler);
  }

  #key(object: AnyObject): string {
    const { namespace = '', name } = object.metadata;
    return `${groupOf(object)}/${object.kind.toLowerCase()}s/${namespace}/${name}`;
  }

  #tell(object: AnyObject, change: Change): void {
    for (const handler of this.#handlers.get(`${groupOf(object)}/${object.kind.toLowerCase()}s`) ?? []) handler(change);
  }
}
