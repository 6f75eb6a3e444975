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
  const types = workloads.flatMap((workload) => [workload.type, ...workload.beside]);
  const ofPods = { type: kinds.events, fieldSelector: 'type=Warning,regarding.kind=Pod', optional: true };
  return {
    ...openKinds(caches, types, namespaces),
    events: [openOurEvents(caches, namespaces), new Shelf(caches, ofPods, namespaces)],
  };
}

/** Opens the workloads alone. */
export function openWorkloads(caches: Caches, workloads: readonly Workload[], namespaces: readonly string[]): Kinds {
  return openKinds(
    caches,
    workloads.map(({ type }) => type),
    namespaces,
  );
}

/** Opens what the operator says. */
export function openOurEvents(caches: Caches, namespaces: readonly string[]): Shelf {
  const fieldSelector = `reportingController=${ourController}`;
  return new Shelf(caches, { type: kinds.events, fieldSelector, optional: true }, namespaces);
}

function openKinds(caches: Caches, types: readonly ResourceType[], namespaces: readonly string[]): Kinds {
  const shelves = new Map<string, Shelf>();
  for (const type of types) {
    const name = qualifiedName(type);
    // Nothing of a Secret is ever shown.
    if (name === qualifiedName(kinds.secrets) || shelves.has(name)) continue;
    shelves.set(name, new Shelf(caches, scopeOf(type), namespaces));
  }
  return { of: (type) => shelves.get(qualifiedName(type)), all: [...shelves.values()] };
}

const builtIn: ReadonlySet<string> = new Set(Object.values(kinds).map(qualifiedName));

/** Custom kinds as the families' controllers ask for them: so they are watched and kept once. */
function scopeOf(type: ResourceType): CacheScope {
  if (!builtIn.has(qualifiedName(type))) return { type, managedFields: true };
  return { type, optional: true, ...(type.plural === kinds.pods.plural && { keep: podKept }) };
}
