import type { Caches } from '../control/caches.ts';
import type { Metrics } from '../control/metrics.ts';
import type { Client } from '../kube/client.ts';
import type { Identity } from '../kube/identity.ts';
import type { Family } from '../portrait/family.ts';
import type { Notifications } from '../server/notify/open-notifications.ts';
import type { Dashboard, DashboardDoor } from '../server/open-dashboard.ts';
import type { Common } from './running.ts';
import { version } from './version.ts';

/** What people are shown and told. */
export interface ServerRun {
  readonly dashboard?: DashboardRun;
  /** The text of the configuration of notifications; absent: nobody is told. */
  readonly notify?: string;
}

export interface DashboardRun {
  readonly door: DashboardDoor;
  /** Makes a client that speaks with somebody's own credentials. */
  readonly clientFor: (identity: Identity) => Client;
  /** Nothing can be done by anybody. */
  readonly readOnly?: boolean;
  /** Lets sessions outlive this process. */
  readonly sessionKey?: string;
  /** Who comes by the one-time link. */
  readonly once?: Identity;
  /** What people type in front of a command. */
  readonly program?: string;
  /** Told where it is served, and the link that opens it once, if there is one. */
  readonly onServed?: (url: string, link: string | undefined) => void;
}

/** The server, opened when the caches are there, and served when it is asked to. */
export interface ServerPart {
  readonly metrics: Metrics;
  onCaches(caches: Caches): void;
  serve(): Promise<void>;
  close(): Promise<void>;
}

/** @param elected whether only the one that leads tells people of what happens */
export async function openServer(
  common: Common,
  { families, namespaces }: { readonly families: readonly Family[]; readonly namespaces: readonly string[] },
  metrics: Metrics,
  { dashboard, notify }: ServerRun,
  elected: boolean,
): Promise<ServerPart> {
  const { withServerMetrics } = await import('../server/server-metrics.ts');
  const measured = withServerMetrics(metrics);
  const about = { ...common, families, namespaces, metrics: measured };
  const openBoard = dashboard && (await boardOpener());
  const openNews = notify === undefined ? undefined : await newsOpener(notify);
  let leads = !elected;
  let board: Dashboard | undefined;
  let news: Notifications | undefined;
  return {
    metrics: {
      ...measured,
      leading(held) {
        leads = held || !elected;
        measured.leading(held);
      },
    },
    onCaches(caches) {
      if (openBoard && dashboard) {
        const { onServed: _, ...run } = dashboard;
        board = openBoard({ ...about, ...run, caches, version });
      }
      news = openNews?.({ ...about, caches, active: () => leads });
    },
    async serve() {
      news?.begin();
      const served = await board?.serve();
      if (served) dashboard?.onServed?.(served.url, board?.onceLink());
    },
    async close() {
      news?.close();
      await board?.close();
    },
  };
}

type BoardOptions = Parameters<typeof import('../server/open-dashboard.ts').openDashboard>[0];
type NewsOptions = Parameters<typeof import('../server/notify/open-notifications.ts').openNotifications>[0];

async function boardOpener(): Promise<(options: Omit<BoardOptions, 'assets'>) => Dashboard> {
  const [{ openDashboard }, { webAssets }] = await Promise.all([
    import('../server/open-dashboard.ts'),
    import('../web/build/web-assets.ts'),
  ]);
  return (options) => openDashboard({ ...options, assets: webAssets });
}

async function newsOpener(config: string): Promise<(options: Omit<NewsOptions, 'webhooks'>) => Notifications> {
  const [{ openNotifications }, { parseNotifyConfig }] = await Promise.all([
    import('../server/notify/open-notifications.ts'),
    import('../server/notify/notify-config.ts'),
  ]);
  const webhooks = parseNotifyConfig(config);
  return (options) => openNotifications({ ...options, webhooks });
}
