import type { Caches } from '../control/caches.ts';
import type { Metrics } from '../control/metrics.ts';
import type { Family } from '../portrait/family.ts';
import type { Common } from './running.ts';

/** Workloads on the page of metrics. */
export interface FleetCountPart {
  readonly metrics: Metrics;
  onCaches(caches: Caches): void;
  close(): void;
}

/** @param off kinds in lower case that nobody looks at */
export async function openFleetCount(
  { clock, log }: Common,
  { families, namespaces }: { readonly families: readonly Family[]; readonly namespaces: readonly string[] },
  metrics: Metrics,
  off: readonly string[],
): Promise<FleetCountPart> {
  const [{ withFleetMetrics }, { countFleet }] = await Promise.all([
    import('../server/fleet/fleet-metrics.ts'),
    import('../server/fleet/count-fleet.ts'),
  ]);
  const measured = withFleetMetrics(metrics);
  const watched = families.map((family) => ({
    ...family,
    workloads: family.workloads.filter(({ type }) => !off.includes(type.kind.toLowerCase())),
  }));
  let stop: (() => void) | undefined;
  return {
    metrics: measured,
    onCaches(caches) {
      stop = countFleet({ families: watched, caches, clock, log, metrics: measured, namespaces });
    },
    close: () => stop?.(),
  };
}
