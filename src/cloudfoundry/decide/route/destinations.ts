import type { Destination } from '../../manifests/destination-service.ts';
import { isOwnedBy } from '../../manifests/owned-by.ts';
import { destinationServiceName } from '../../names.ts';
import type { CfRouteView } from '../../observe/cf-route-view.ts';
import { unresolved } from '../unresolved.ts';

/** Where a route leads to, and why not to all that its spec names. */
export interface Destinations {
  readonly effective: readonly Destination[];
  /** What a person must change. A destination that only waits for its app's first droplet is no problem. */
  readonly problem?: string;
}

/** Where processes listen that nobody has said anything about. */
const defaultPort = 8080;

/**
 * The destinations as they are reached: at the port that they name, else at the first of the droplet, else at 8080. Before
 * an app has a droplet nobody knows its port, and nothing of it runs. A droplet that is no longer seen, because a cache went
 * back in time or somebody took it away, changes nothing: instances may run, and are reached where they were.
 */
export function destinations(view: CfRouteView): Destinations {
  const { route, apps } = view;
  const problems: string[] = [];
  const effective = (route.spec?.destinations ?? []).flatMap(
    ({ guid, port, appRef, processType, protocol }): Destination[] => {
      const name = appRef?.name ?? '';
      const app = Object.hasOwn(apps, name) ? apps[name] : undefined;
      if (!app) {
        const why = unresolved('CFApp', 'spec.destinations[].appRef.name', appRef?.name);
        problems.push(`Destination ${guid}: ${why} Unmap the route from it.`);
        return [];
      }
      const reached = port ?? (app.ports ? (app.ports[0] ?? defaultPort) : servedPort(view, guid));
      if (reached === undefined) return [];
      if (!Number.isInteger(reached) || reached < 1 || reached > 65_535) {
        problems.push(
          `Destination ${guid}: ${reached} is not a port. Ports are 1 to 65535. Map the route again with another.`,
        );
        return [];
      }
      return [{ guid, port: reached, appRef: { name }, processType, protocol: protocol ?? 'http1' }];
    },
  );
  return { effective, ...(problems.length > 0 && { problem: problems.join(' ') }) };
}

/** Where the Service of a destination leads to. */
function servedPort({ route, services }: CfRouteView, guid: string): number | undefined {
  const name = destinationServiceName(guid);
  const served = services.find((service) => service.metadata.name === name && isOwnedBy(service, route));
  return served?.spec?.ports?.[0]?.port;
}
