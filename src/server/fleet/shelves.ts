import type { CacheScope } from '../../control/cache-scope.ts';
import type { Caches } from '../../control/caches.ts';
import { kinds } from '../../kube/kinds.ts';
import { qualifiedName, type ResourceType } from '../../kube/resource-type.ts';
import type { Workload } from '../../portrait/workload.ts';
import { podKept } from './pod-kept.ts';
import { Shelf } from './shelf.ts';

/** Whose events are shown beside those about pods. */
const ourController = 'cutover.dev/operator';

/** All that the dashboard looks into. It costs the API server one watch per kind, however many people look. */
export interface Shelves {
  of(type: ResourceType): Shelf | undefined;
  readonly all: readonly Shelf[];
  /** What the operator says of anything, and what is wrong with pods. */
  readonly events: readonly Shelf[];
}

/** Opens what workloads need. Before the caches start. `namespaces`: only these; all when empty. */
export function openShelves(
  caches: Caches,
  workloads: readonly Workload[],
  namespaces: readonly string[] = [],
): Shelves {
  const shelves = new Map<string, Shelf>();
  for (const type of workloads.flatMap((workload) => [workload.type, ...workload.beside])) {
    const name = qualifiedName(type);
    if (name === qualifiedName(kinds.secrets)) continue;
    if (!shelves.has(name)) shelves.set(name, new Shelf(caches, scopeOf(type), namespaces));
  }
  const events = [`reportingController=${ourController}`, 'type=Warning,regarding.kind=Pod'].map(
    (fieldSelector) => new Shelf(caches, { type: kinds.events, fieldSelector, optional: true }, namespaces),
  );
  return { of: (type) => shelves.get(qualifiedName(type)), all: [...shelves.values()], events };
}

const builtIn: ReadonlySet<string> = new Set(Object.values(kinds).map(qualifiedName));

/** Custom kinds as the families' controllers ask for them: so they are watched and kept once. */
function scopeOf(type: ResourceType): CacheScope {
  if (!builtIn.has(qualifiedName(type))) return { type, managedFields: true };
  return { type, optional: true, ...(type.plural === kinds.pods.plural && { keep: podKept }) };
}
