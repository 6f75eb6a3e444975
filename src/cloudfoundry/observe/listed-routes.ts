import type { Clock } from '../../clock/clock.ts';
import type { Client } from '../../kube/client.ts';
import { keyOf } from '../../kube/reflector/key.ts';
import { compareVersions } from '../../kube/reflector/resource-version.ts';
import type { CfApp } from '../resources/cf-app.ts';
import { type CfRoute, cfRoute } from '../resources/cf-route.ts';
import { isNewer } from './asked.ts';
import { appsOfRoute, type CloudFoundryCaches } from './caches.ts';

/** For so long a list serves others as well: what it says grows old, and it takes room. */
const keptMs = 1_000;

/** The routes of a space, as the API server had them in one moment. */
interface RouteList {
  readonly metadata: { readonly resourceVersion?: string };
  readonly byApp: ReadonlyMap<string, readonly CfRoute[]>;
}

export interface ListedRoutesOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly cached: Pick<CloudFoundryCaches['routes'], 'get' | 'by'>;
}

/**
 * The routes that lead to an app, by the API server's word. Routes cannot be asked for by their apps, so all of a space are listed;
 * and the apps of a space that is deleted go together, so one list serves all that were as they are seen before it was made.
 */
export class ListedRoutes {
  readonly #options: ListedRoutesOptions;
  /** By space: the last that was asked for. */
  readonly #lists = new Map<string, Promise<RouteList>>();

  constructor(options: ListedRoutesOptions) {
    this.#options = options;
  }

  /** All that led to the app when it became as it is seen; each as the cache shows it where that is newer. Errors: as `askedFor`. */
  async to(app: CfApp, signal: AbortSignal): Promise<readonly CfRoute[]> {
    const { cached } = this.#options;
    const list = await this.#since(app, signal);
    const key = keyOf(app);
    const isSeenNewer = (route: CfRoute): boolean => {
      const seen = cached.get(keyOf(route));
      return seen !== undefined && isNewer(seen, route);
    };
    const listed = (list.byApp.get(key) ?? []).filter((route) => !isSeenNewer(route));
    return [...listed, ...cached.by('app', key).filter((route) => isNewer(route, list))];
  }

  async #since({ metadata }: CfApp, signal: AbortSignal): Promise<RouteList> {
    const { namespace = '', resourceVersion = '' } = metadata;
    for (;;) {
      const known = this.#lists.get(namespace);
      // Whoever asked may have been called off: that says nothing of the server.
      const list = await known?.catch(() => undefined);
      if (list && (compareVersions(list.metadata.resourceVersion ?? '', resourceVersion) ?? -1) >= 0) return list;
      if (this.#lists.get(namespace) === known) return this.#ask(namespace, signal);
    }
  }

  #ask(namespace: string, signal: AbortSignal): Promise<RouteList> {
    const asked = this.#list(namespace, signal);
    const forget = (): void => {
      if (this.#lists.get(namespace) === asked) this.#lists.delete(namespace);
    };
    this.#lists.set(namespace, asked);
    asked.then(() => this.#options.clock.after(keptMs, forget), forget);
    return asked;
  }

  async #list(namespace: string, signal: AbortSignal): Promise<RouteList> {
    const { metadata, items } = await this.#options.client.resource<CfRoute>(cfRoute.type).list({ namespace, signal });
    const byApp = new Map<string, CfRoute[]>();
    for (const route of items) {
      for (const app of appsOfRoute(route)) {
        const routes = byApp.get(app);
        if (routes) routes.push(route);
        else byApp.set(app, [route]);
      }
    }
    return { metadata, byApp };
  }
}
