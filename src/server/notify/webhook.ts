import { type Clock, sleep } from '../../clock/clock.ts';
import type { Random } from '../../clock/random.ts';
import type { Log } from '../../control/log.ts';
import { Backoff } from '../../kube/reflector/backoff.ts';
import type { ServerMetrics } from '../server-metrics.ts';
import { cloudEvent, contentType } from './cloud-event.ts';
import type { Notice } from './notice.ts';
import { headersIn, type WebhookTarget } from './notify-config.ts';
import type { Post } from './post.ts';

export interface WebhookOptions {
  readonly target: WebhookTarget;
  readonly post: Post;
  readonly readFile: (path: string) => Promise<string>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Pick<ServerMetrics, 'notified'>;
}

interface Waiting {
  readonly notice: Notice;
  readonly at: number;
  readonly since: number;
}

const mostWaiting = 1_000;
const mostRemembered = 4_096;
const timeoutMs = 10_000;
const giveUpMs = 3_600_000;
const backoff = { firstMs: 1_000, mostMs: 300_000 };
/** The receiver understood, and will not take it however often it is sent. */
const final: ReadonlySet<number> = new Set([400, 405, 410, 413, 415, 422]);

/**
 * Sends notices to one address, one after the other and in order, until it takes them. What it does not take for an hour, and
 * the oldest of more than a thousand, is given up and counted. Offering one never waits.
 */
export class Webhook {
  readonly #options: WebhookOptions;
  readonly #waiting: Waiting[] = [];
  /** Ids that were offered: the same news is sent once. */
  readonly #known = new Set<string>();
  readonly #closing = new AbortController();
  /** Its name in the log: an address may hold a secret. */
  readonly #host: string;
  #sending = false;

  constructor(options: WebhookOptions) {
    this.#options = options;
    this.#host = new URL(options.target.url).host;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  offer(notice: Notice): void {
    const { target, clock } = this.#options;
    if (!target.events.includes(notice.class) || this.#closing.signal.aborted) return;
    if (target.namespaces && !target.namespaces.includes(notice.about.namespace)) return;
    if (this.#known.has(notice.id)) return;
    this.#known.add(notice.id);
    for (const oldest of this.#known) {
      if (this.#known.size <= mostRemembered) break;
      this.#known.delete(oldest);
    }
    this.#waiting.push({ notice, at: clock.now(), since: clock.monotonic() });
    if (this.#waiting.length > mostWaiting) this.#drop(this.#waiting.shift(), 'too many wait');
    void this.#send();
  }

  close(): void {
    this.#closing.abort();
    this.#waiting.length = 0;
  }

  async #send(): Promise<void> {
    if (this.#sending) return;
    this.#sending = true;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) await this.#deliver(next);
    this.#sending = false;
  }

  async #deliver(one: Waiting): Promise<void> {
    const { clock, random, log, metrics } = this.#options;
    const waits = new Backoff(clock, random, backoff);
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const { status, retryAfterMs, why } = await this.#try(one);
      if (signal.aborted) return;
      if (status >= 200 && status < 300) return metrics.notified(one.notice.class, 'sent');
      metrics.notified(one.notice.class, 'failed');
      if (final.has(status)) return this.#drop(one, why);
      const waitMs = waits.next(retryAfterMs);
      if (clock.monotonic() + waitMs - one.since > giveUpMs) return this.#drop(one, why);
      log.warn(
        { host: this.#host, event: one.notice.class, why, retryInMs: Math.round(waitMs) },
        'a notification was not taken',
      );
      await sleep(clock, waitMs, signal).catch(() => undefined);
    }
  }

  async #try({ notice, at }: Waiting): Promise<{ status: number; retryAfterMs?: number; why: string }> {
    const { target, post, readFile, clock } = this.#options;
    const late = new AbortController();
    const inTime = clock.after(timeoutMs, () => late.abort());
    try {
      const own = target.headersFrom === undefined ? {} : headersIn(await readFile(target.headersFrom));
      const signal = AbortSignal.any([late.signal, this.#closing.signal]);
      const headers = { ...own, 'content-type': contentType, 'user-agent': 'cutover' };
      const posted = await post(target.url, { headers, body: cloudEvent(notice, at), signal });
      return { ...posted, why: `it answered ${posted.status}` };
    } catch (error) {
      // Errors of connections name addresses; only what kind it is may be told.
      const { code } = ((error as Error).cause ?? error) as { readonly code?: unknown };
      return {
        status: 0,
        why: late.signal.aborted ? 'no answer in time' : `no answer (${typeof code === 'string' ? code : 'error'})`,
      };
    } finally {
      inTime();
    }
  }

  #drop(one: Waiting | undefined, why: string): void {
    if (!one) return;
    const { log, metrics } = this.#options;
    metrics.notified(one.notice.class, 'dropped');
    log.warn({ host: this.#host, event: one.notice.class, id: one.notice.id, why }, 'a notification was given up');
  }
}
