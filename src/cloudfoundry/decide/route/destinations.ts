import type { Destination } from '../../manifests/destination-service.ts';
import type { CfRouteView } from '../../observe/cf-route-view.ts';

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
 * an app has a droplet nobody knows its port, and nothing of it runs.
 */
export function destinations({ route, apps }: CfRouteView): Destinations {
  const problems: string[] = [];
  const effective = (route.spec?.destinations ?? []).flatMap(
    ({ guid, port, appRef, processType, protocol }): Destination[] => {
      const name = appRef?.name ?? '';
      const app = Object.hasOwn(apps, name) ? apps[name] : undefined;
      if (!app) {
        problems.push(`Destination ${guid}: there is no app ${name} in this space. Unmap the route from it.`);
        return [];
      }
      if (port === undefined && !app.ports) return [];
      const reached = port ?? app.ports?.[0] ?? defaultPort;
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
