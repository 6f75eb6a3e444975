import type { Clock } from '../../clock/clock.ts';
import type { Cached } from '../../control/caches.ts';
import type { Client } from '../../kube/client.ts';
import type { KubeObject } from '../../kube/object.ts';
import { keyOf } from '../../kube/reflector/key.ts';
import { compareVersions } from '../../kube/reflector/resource-version.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import type { CfApp } from '../resources/cf-app.ts';
import { isNewer } from './asked.ts';

/** For so long a list serves others as well: what it says grows old, and it takes room. */
const keptMs = 1_000;

/** The objects of a kind in a space, as the API server had them in one moment. */
interface ListOfSpace<T> {
  readonly metadata: { readonly resourceVersion?: string };
  readonly byApp: ReadonlyMap<string, readonly T[]>;
}

export interface ListedByAppOptions<T extends KubeObject> {
  readonly client: Client;
  readonly clock: Clock;
  readonly type: ResourceType;
  readonly cached: Pick<Cached<T, 'app'>, 'get' | 'by'>;
  /** Keys of the apps that an object is about. */
  readonly appsOf: (object: T) => readonly string[];
}

/**
 * What names an app, by the API server's word. It cannot be asked for by the app, so all of a space is listed; and the apps of a space
 * that is deleted go together, so one list serves all that were as they are seen before it was made.
 */
export class ListedByApp<T extends KubeObject> {
  readonly #options: ListedByAppOptions<T>;
  /** By space: the last that was asked for. */
  readonly #lists = new Map<string, Promise<ListOfSpace<T>>>();

  constructor(options: ListedByAppOptions<T>) {
    this.#options = options;
  }

  /** All that named the app when it became as it is seen; each as the cache shows it where that is newer. Errors: as `askedFor`. */
  async of(app: CfApp, signal: AbortSignal): Promise<readonly T[]> {
    const { cached } = this.#options;
    const list = await this.#since(app, signal);
    const key = keyOf(app);
    const isSeenNewer = (object: T): boolean => {
      const seen = cached.get(keyOf(object));
      return seen !== undefined && isNewer(seen, object);
    };
    const listed = (list.byApp.get(key) ?? []).filter((object) => !isSeenNewer(object));
    return [...listed, ...cached.by('app', key).filter((object) => isNewer(object, list))];
  }

  async #since({ metadata }: CfApp, signal: AbortSignal): Promise<ListOfSpace<T>> {
    const { namespace = '', resourceVersion = '' } = metadata;
    for (;;) {
      const known = this.#lists.get(namespace);
      // Whoever asked may have been called off: that says nothing of the server.
      const list = await known?.catch(() => undefined);
      if (list && (compareVersions(list.metadata.resourceVersion ?? '', resourceVersion) ?? -1) >= 0) return list;
      if (this.#lists.get(namespace) === known) return this.#ask(namespace, signal);
    }
  }

  #ask(namespace: string, signal: AbortSignal): Promise<ListOfSpace<T>> {
    const asked = this.#list(namespace, signal);
    const forget = (): void => {
      if (this.#lists.get(namespace) === asked) this.#lists.delete(namespace);
    };
    this.#lists.set(namespace, asked);
    asked.then(() => this.#options.clock.after(keptMs, forget), forget);
    return asked;
  }

  async #list(namespace: string, signal: AbortSignal): Promise<ListOfSpace<T>> {
    const { client, type, appsOf } = this.#options;
    const { metadata, items } = await client.resource<T>(type).list({ namespace, signal });
    const byApp = new Map<string, T[]>();
    for (const object of items) {
      for (const app of appsOf(object)) {
        const objects = byApp.get(app);
        if (objects) objects.push(object);
        else byApp.set(app, [object]);
      }
    }
    return { metadata, byApp };
  }
}
