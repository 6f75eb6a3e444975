import type { Clock } from '../../clock/clock.ts';
import type { Caches } from '../../control/caches.ts';
import type { Log } from '../../control/log.ts';
import type { Family } from '../../portrait/family.ts';
import type { Workload } from '../../portrait/workload.ts';
import type { FleetMetrics, KindLabels } from './fleet-metrics.ts';
import type { Shelf } from './shelf.ts';
import { openWorkloads } from './shelves.ts';
import { Tally } from './tally.ts';

export interface CountFleetOptions {
  readonly families: readonly Family[];
  /** Not started yet: it looks at what controllers look at, so it costs no watch of its own. */
  readonly caches: Caches;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: FleetMetrics;
  /** Only these; all when empty. */
  readonly namespaces?: readonly string[];
}

interface Counted {
  readonly workload: Workload;
  readonly labels: KindLabels;
  readonly shelf: Shelf;
  readonly dirty: Set<string>;
}

/** So many are looked at in one go: a fleet that is seen for the first time must not hold up the work. */
const atOnce = 100;

/** Counts all workloads for as long as the operator runs. Returns the way to stop. */
export function countFleet(options: CountFleetOptions): () => void {
  const { families, caches, clock, log, metrics, namespaces = [] } = options;
  const shelves = openWorkloads(
    caches,
    families.flatMap((family) => family.workloads),
    namespaces,
  );
  const counted = families.flatMap(({ name, workloads }) =>
    workloads.flatMap((workload): readonly Counted[] => {
      const shelf = shelves.of(workload.type);
      const labels = { family: name, kind: workload.type.kind };
      return shelf ? [{ workload, labels, shelf, dirty: new Set() }] : [];
    }),
  );
  const tally = new Tally(
    clock,
    metrics,
    counted.map(({ labels }) => labels),
  );
  metrics.counts(tally);
  const closing = new AbortController();
  let scheduled = false;

  const look = ({ workload, labels, shelf }: Counted, key: string): void => {
    const id = `${labels.kind} ${key}`;
    const object = shelf.get(key);
    try {
      if (!object) tally.gone(id);
      else tally.is(id, labels, workload.summarize(object), object);
    } catch (error) {
      log.error({ error, kind: labels.kind, key }, 'a bug: a workload could not be summarised');
    }
  };
  const work = (): void => {
    scheduled = false;
    let left = atOnce;
    for (const one of counted) {
      for (const key of one.dirty) {
        if (left-- === 0) {
          schedule();
          return;
        }
        one.dirty.delete(key);
        look(one, key);
      }
    }
  };
  const schedule = (): void => {
    if (scheduled || closing.signal.aborted) return;
    scheduled = true;
    setImmediate(work);
  };
  for (const one of counted) {
    void one.shelf.begin(closing.signal, (key) => {
      one.dirty.add(key);
      schedule();
    });
  }
  return () => closing.abort();
}
