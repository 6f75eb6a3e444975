import type { Clock } from '../clock/clock.ts';
import type { Client } from '../kube/client.ts';
import { kinds } from '../kube/kinds.ts';
import type { KubeObject } from '../kube/object.ts';

/** The part of an `events.k8s.io/v1` Event that is read aloud. */
interface NewsItem extends KubeObject {
  readonly reason?: string;
  readonly note?: string;
  readonly type?: string;
  readonly eventTime?: string | null;
  readonly reportingController?: string;
  readonly regarding?: { readonly kind?: string; readonly name?: string };
}

export interface NewsOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** Whose events: `cutover.dev/operator`. */
  readonly from: string;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** After a watch broke off. */
const againMs = 1_000;

/** Reads aloud what one controller says about objects, from now on, a line each, until the signal aborts. */
export async function tellNews({ client, clock, from, say, signal }: NewsOptions): Promise<void> {
  const events = client.resource<NewsItem>(kinds.events);
  while (!signal.aborted) {
    try {
      const { metadata } = await events.list({ limit: 1, signal });
      const since = metadata.resourceVersion === undefined ? {} : { resourceVersion: metadata.resourceVersion };
      for await (const { type, object } of events.watch({ ...since, signal })) {
        if (type === 'ADDED' && object.reportingController === from) say(headline(object));
      }
    } catch {
      if (signal.aborted) return;
    }
    await new Promise<void>((resolve) => clock.after(againMs, resolve));
  }
}

/** `12:04:05  FlinkDeployment counter: Submit: Starting deployment` */
function headline({ eventTime, type, regarding, reason, note = '' }: NewsItem): string {
  const time = eventTime?.slice(11, 19) ?? '        ';
  const mark = type === 'Warning' ? '! ' : '';
  return `${time}  ${mark}${regarding?.kind} ${regarding?.name}: ${reason}: ${note.split('\n')[0]}`;
}
