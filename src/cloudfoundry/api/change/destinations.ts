import type { Random } from '../../../clock/random.ts';
import type { JsonObject } from '../../../kube/object.ts';
import { appGuids } from '../../decide/furnishings.ts';
import { annotations, labels } from '../../keys.ts';
import type { CfRoute } from '../../resources/cf-route.ts';
import { unprocessable } from '../cf-error.ts';
import type { NewDestination } from '../payload/route.ts';

export type Destination = NonNullable<CfRoute['spec']['destinations']>[number];

/** What leads to the same process at the same port is one destination, however often it is asked for. */
export function withDestinations(
  route: CfRoute,
  wanted: readonly NewDestination[],
  random: Random,
): JsonObject | undefined {
  const all = [...(route.spec.destinations ?? [])];
  const before = all.length;
  for (const one of wanted) {
    const made = destinationOf(one, '');
    if (!all.some((other) => isSame(other, made))) all.push({ ...made, guid: random.uuid() });
  }
  return all.length === before ? undefined : leadingTo(route, all);
}

/** These and no others; those that were there keep their GUID. */
export function onlyDestinations(route: CfRoute, wanted: readonly NewDestination[], random: Random): JsonObject {
  const before = route.spec.destinations ?? [];
  const all: Destination[] = [];
  for (const one of wanted) {
    const made = destinationOf(one, '');
    if (all.some((other) => isSame(other, made))) continue;
    all.push(before.find((other) => isSame(other, made)) ?? { ...made, guid: random.uuid() });
  }
  return leadingTo(route, all);
}

/** Without one of them. @throws CfError 422 when it has none of this GUID */
export function withoutDestination(route: CfRoute, guid: string): JsonObject {
  const all = route.spec.destinations ?? [];
  const left = all.filter((one) => one.guid !== guid);
  if (left.length === all.length) {
    throw unprocessable('Unable to unmap route from destination. Ensure the route has a destination with this guid.');
  }
  return leadingTo(route, left);
}

/** Without those that lead to an app; nothing when none does. */
export function withoutApp(route: CfRoute, app: string): JsonObject | undefined {
  const all = route.spec.destinations ?? [];
  const left = all.filter(({ appRef }) => appRef.name !== app);
  return left.length === all.length ? undefined : leadingTo(route, left);
}

/** The patch, with label and annotation that say the same. */
function leadingTo(route: CfRoute, destinations: readonly Destination[]): JsonObject {
  const changed = { ...route, spec: { ...route.spec, destinations } } as CfRoute;
  return {
    metadata: {
      labels: { [labels.unmapped]: String(destinations.length === 0) },
      annotations: { [annotations.appGuids]: appGuids(changed) },
    },
    spec: { destinations: destinations as unknown as readonly JsonObject[] },
  };
}

function destinationOf({ app, port, protocol }: NewDestination, guid: string): Destination {
  return {
    guid,
    appRef: { name: app.guid },
    processType: app.process?.type ?? 'web',
    ...(typeof port === 'number' && { port }),
    ...(protocol && { protocol }),
  };
}

function isSame(a: Destination, b: Destination): boolean {
  return a.appRef.name === b.appRef.name && a.processType === b.processType && a.port === b.port;
}
