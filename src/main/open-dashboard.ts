import type { Caches } from '../control/caches.ts';
import type { Metrics } from '../control/metrics.ts';
import type { Client } from '../kube/client.ts';
import type { Identity } from '../kube/identity.ts';
import type { Family } from '../portrait/family.ts';
import type { Dashboard, DashboardDoor } from '../server/open-dashboard.ts';
import type { ServerMetrics } from '../server/server-metrics.ts';
import type { Common } from './running.ts';
import { version } from './version.ts';

export interface DashboardRun {
  readonly door: DashboardDoor;
  /** Makes a client that speaks with somebody's own credentials. */
  readonly clientFor: (identity: Identity) => Client;
  /** Nothing can be done by anybody. */
  readonly readOnly?: boolean;
  /** Who comes by the one-time link. */
  readonly once?: Identity;
  /** What people type in front of a command. */
  readonly program?: string;
  /** Told where it is served, and the link that opens it once, if there is one. */
  readonly onServed?: (url: string, link: string | undefined) => void;
}

/** A dashboard that is opened when the caches are there, and served when it is asked to. */
export interface DashboardPart {
  readonly metrics: Metrics & ServerMetrics;
  onCaches(caches: Caches): void;
  serve(): Promise<void>;
  close(): Promise<void>;
}

export async function openDashboard(
  common: Common,
  families: readonly Family[],
  metrics: Metrics,
  { onServed, ...run }: DashboardRun,
): Promise<DashboardPart> {
  const [{ openDashboard: open }, { withServerMetrics }, { webAssets }] = await Promise.all([
    import('../server/open-dashboard.ts'),
    import('../server/server-metrics.ts'),
    import('../web/build/web-assets.ts'),
  ]);
  const measured = withServerMetrics(metrics);
  let dashboard: Dashboard | undefined;
  return {
    metrics: measured,
    onCaches: (caches) => {
      dashboard = open({ ...common, ...run, families, caches, metrics: measured, assets: webAssets, version });
    },
    serve: async () => {
      const served = await dashboard?.serve();
      if (served) onServed?.(served.url, dashboard?.onceLink());
    },
    close: async () => dashboard?.close(),
  };
}
