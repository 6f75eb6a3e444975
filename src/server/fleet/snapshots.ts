import { qualifiedName } from '../../kube/resource-type.ts';
import type { Access } from '../access/access.ts';
import { frame } from '../stream/frame.ts';
import type { Entry, Fleet } from './fleet.ts';

/** So many different views of the fleet are kept ready. */
const mostViews = 8;

export interface Snapshot {
  /** Two with the same key show the same kinds and namespaces. */
  readonly key: string;
  readonly message: Uint8Array;
}

/** The whole fleet as one message, made once for all who may see the same. */
export class Snapshots {
  readonly #fleet: Fleet;
  readonly #made = new Map<string, { readonly version: number; readonly message: Uint8Array }>();

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  /** What a person may see, now. @throws Refusal 401, 503 */
  async for(access: Access): Promise<Snapshot> {
    for (;;) {
      const places = placesOf(this.#fleet.entries());
      const allowed = await Promise.all(
        [...places.values()].map(({ workload, namespace }) =>
          access.may({ verb: 'list', type: workload.type, namespace }),
        ),
      );
      const visible = new Set([...places.keys()].filter((_, at) => allowed[at]));
      const snapshot = this.#of(places, visible);
      // A place that came up meanwhile has not been asked about.
      if (snapshot) return snapshot;
    }
  }

  #of(places: ReadonlyMap<string, Entry>, visible: ReadonlySet<string>): Snapshot | undefined {
    const { version } = this.#fleet;
    const key = visible.size === places.size ? '*' : JSON.stringify([...visible].sort());
    const parts: string[] = [];
    const known = this.#made.get(key);
    for (const entry of this.#fleet.entries()) {
      const place = placeOf(entry);
      if (!places.has(place)) return undefined;
      if (visible.has(place)) parts.push(entry.json);
    }
    if (known?.version === version) return { key, message: known.message };
    const message = frame('fleet', `[${parts.join()}]`);
    this.#made.delete(key);
    this.#made.set(key, { version, message });
    for (const oldest of this.#made.keys()) {
      if (this.#made.size <= mostViews) break;
      this.#made.delete(oldest);
    }
    return { key, message };
  }
}

/** One workload of every kind and namespace. */
function placesOf(entries: Iterable<Entry>): ReadonlyMap<string, Entry> {
  const places = new Map<string, Entry>();
  for (const entry of entries) {
    const place = placeOf(entry);
    if (!places.has(place)) places.set(place, entry);
  }
  return places;
}

function placeOf({ workload, namespace }: Entry): string {
  return `${qualifiedName(workload.type)} ${namespace}`;
}
