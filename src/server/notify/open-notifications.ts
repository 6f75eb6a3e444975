import { readFile } from 'node:fs/promises';
import type { Clock } from '../../clock/clock.ts';
import type { Random } from '../../clock/random.ts';
import type { Caches } from '../../control/caches.ts';
import type { Log } from '../../control/log.ts';
import type { Family } from '../../portrait/family.ts';
import { Fleet } from '../fleet/fleet.ts';
import { openOurEvents, openWorkloads } from '../fleet/shelves.ts';
import type { ServerMetrics } from '../server-metrics.ts';
import { standing } from './event-class.ts';
import { deletedNotice, type Notice, noticesOf, noticesOfEvent } from './notice.ts';
import type { WebhookTarget } from './notify-config.ts';
import { httpPost, type Post } from './post.ts';
import { Webhook } from './webhook.ts';

export interface NotificationsOptions {
  readonly families: readonly Family[];
  /** Not started yet. */
  readonly caches: Caches;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: ServerMetrics;
  readonly webhooks: readonly WebhookTarget[];
  /** Whether this process is the one that tells; asked again and again. Default: it is. */
  readonly active?: () => boolean;
  /** Only these; all when empty. */
  readonly namespaces?: readonly string[];
  /** Default: over HTTP. */
  readonly post?: Post;
}

export interface Notifications {
  /** Begins to listen; the caches may start before or after. */
  begin(): void;
  close(): void;
}

/** An event that is older when it is first seen is no news. */
const newsMs = 15 * 60_000;
/** So often it is asked whether this process has become the one that tells. */
const askMs = 5_000;

/**
 * Tells whoever wants to hear when workloads change. It listens to the caches, so nobody who decides ever waits for it. How
 * things stand is told again after every start: each news has an id of its own, by which receivers drop what they have had.
 */
export function openNotifications(options: NotificationsOptions): Notifications {
  const { families, caches, clock, random, log, metrics, active = () => true, post = httpPost } = options;
  const namespaces = options.namespaces ?? [];
  const shelves = openWorkloads(
    caches,
    families.flatMap((family) => family.workloads),
    namespaces,
  );
  const events = openOurEvents(caches, namespaces);
  const fleet = new Fleet({ families, shelves, log });
  const read = (path: string): Promise<string> => readFile(path, 'utf8');
  const webhooks = options.webhooks.map(
    (target) => new Webhook({ target, post, readFile: read, clock, random, log, metrics }),
  );
  metrics.waiting(() => webhooks.reduce((sum, { waiting }) => sum + waiting, 0));
  const closing = new AbortController();
  let telling = false;
  let stopAsking: (() => void) | undefined;
  const offer = (notices: readonly Notice[]): void => {
    for (const notice of notices) for (const webhook of webhooks) webhook.offer(notice);
  };

  fleet.onChange(({ entry, before, gone }) => {
    if (!telling) return;
    if (gone) offer([deletedNotice(entry.summary)]);
    else if (before) offer(noticesOf(before, entry.summary));
    else offer(standingOf(entry.summary));
  });
  const begin = (): void => {
    telling = active();
    if (telling) for (const { summary } of fleet.entries()) offer(standingOf(summary));
    else stopAsking = clock.after(askMs, begin);
  };

  return {
    begin() {
      begin();
      for (const shelf of shelves.all) void shelf.begin(closing.signal, (key) => fleet.touched(shelf, key));
      void events.begin(closing.signal, (key) => {
        const event = events.get(key);
        if (telling && event && isNews(event.eventTime, clock.now())) offer(noticesOfEvent(event));
      });
    },
    close() {
      closing.abort();
      stopAsking?.();
      for (const webhook of webhooks) webhook.close();
    },
  };
}

function standingOf(summary: Parameters<typeof noticesOf>[1]): readonly Notice[] {
  return noticesOf(undefined, summary).filter((notice) => standing.has(notice.class));
}

function isNews(time: unknown, now: number): boolean {
  return typeof time === 'string' && now - Date.parse(time) < newsMs;
}
