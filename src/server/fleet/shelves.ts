import type { CacheScope } from '../../control/cache-scope.ts';
import type { Caches } from '../../control/caches.ts';
import { kinds } from '../../kube/kinds.ts';
import { qualifiedName, type ResourceType } from '../../kube/resource-type.ts';
import type { Workload } from '../../portrait/workload.ts';
import { podKept } from './pod-kept.ts';
import { Shelf } from './shelf.ts';

/** Who says what is told in events. */
const ourController = 'cutover.dev/operator';

/** Kinds that are looked into. It costs the API server one watch per kind, however many people look. */
interface Kinds {
  of(type: ResourceType): Shelf | undefined;
  readonly all: readonly Shelf[];
}

/** All that the dashboard looks into. */
export interface Shelves extends Kinds {
  /** What the operator says of anything, and what is wrong with pods. */
  readonly events: readonly Shelf[];
}

/** Opens what pages of workloads need. Before the caches start. `namespaces`: only these; all when empty. */
export function openShelves(
  caches: Caches,
  workloads: readonly Workload[],
  namespaces: readonly string[] = [],
): Shelves {
  const own = workloads.map(({ type }) => workloadScope(type));
  const beside = workloads.flatMap((workload) => workload.beside.map(besideScope));
  const ofPods = { type: kinds.events, fieldSelector: 'type=Warning,regarding.kind=Pod', optional: true };
  return {
    ...openKinds(caches, [...own, ...beside], namespaces),
    events: [openOurEvents(caches, namespaces), new Shelf(caches, ofPods, namespaces)],
  };
}

/** Opens the workloads alone. */
export function openWorkloads(caches: Caches, workloads: readonly Workload[], namespaces: readonly string[]): Kinds {
  return openKinds(
    caches,
    workloads.map(({ type }) => workloadScope(type)),
    namespaces,
  );
}

/** Opens what the operator says. */
export function openOurEvents(caches: Caches, namespaces: readonly string[]): Shelf {
  const fieldSelector = `reportingController=${ourController}`;
  return new Shelf(caches, { type: kinds.events, fieldSelector, optional: true }, namespaces);
}

function openKinds(caches: Caches, scopes: readonly CacheScope[], namespaces: readonly string[]): Kinds {
  const shelves = new Map<string, Shelf>();
  for (const scope of scopes) {
    const name = qualifiedName(scope.type);
    // Nothing of a Secret is ever shown.
    if (name === qualifiedName(kinds.secrets) || shelves.has(name)) continue;
    shelves.set(name, new Shelf(caches, scope, namespaces));
  }
  return { of: (type) => shelves.get(qualifiedName(type)), all: [...shelves.values()] };
}

/** As the families' controllers ask for what they control: so it is watched and kept once. */
function workloadScope(type: ResourceType): CacheScope {
  return { type, managedFields: true };
}

const builtIn: ReadonlySet<string> = new Set(Object.values(kinds).map(qualifiedName));

/** Older installations lack some kinds, and some are not ours to read: then pages are drawn without them. */
function besideScope(type: ResourceType): CacheScope {
  if (!builtIn.has(qualifiedName(type))) return { type, managedFields: true, optional: true };
  return { type, optional: true, ...(type.plural === kinds.pods.plural && { keep: podKept }) };
}
