import type { Clock } from '../clock/clock.ts';
import type { Client } from '../kube/client.ts';
import { kinds } from '../kube/kinds.ts';
import type { AnyObject, KubeObject } from '../kube/object.ts';
import type { ResourceType } from '../kube/resource-type.ts';

/** The part of an `events.k8s.io/v1` Event that is read aloud. */
interface NewsItem extends KubeObject {
  readonly reason?: string;
  readonly note?: string;
  readonly type?: string;
  readonly reportingController?: string;
  readonly regarding?: { readonly kind?: string; readonly name?: string };
}

/** Objects whose condition is told whenever it reads differently than before. */
export interface Followed {
  readonly type: ResourceType;
  /** In a few words: `UPGRADING, job RUNNING`; nothing while there is nothing to tell. */
  state(object: AnyObject): string | undefined;
  /** What people call it, if not by its name. */
  called?(object: AnyObject): string | undefined;
}

export interface NewsOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** Whose events: `cutover.dev/operator`. */
  readonly from: string;
  /** Reasons of events that say no more than how the followed objects fare. */
  readonly except: readonly string[];
  readonly followed: readonly Followed[];
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** After a watch broke off. */
const againMs = 1_000;

/** Reads aloud, a line each, what a controller says about objects and how they fare, until the signal aborts. */
export async function tellNews({ client, clock, from, except, followed, say, signal }: NewsOptions): Promise<void> {
  const watching = { client, clock, signal };
  const events = watch<NewsItem>(watching, kinds.events, (object, type) => {
    const { reportingController, reason = '' } = object;
    if (type === 'ADDED' && reportingController === from && !except.includes(reason)) say(headline(object));
  });
  const states = followed.map(({ type, state, called }) => {
    const last = new Map<string, string>();
    return watch<AnyObject>(watching, type, (object, change) => {
      const { uid = '', name } = object.metadata;
      const text = change === 'DELETED' ? 'gone' : state(object);
      if (text === undefined || last.get(uid) === text) return;
      if (change === 'DELETED') last.delete(uid);
      else last.set(uid, text);
      say(`${type.kind} ${called?.(object) ?? name} is ${text}`);
    });
  });
  await Promise.all([events, ...states]);
}

/** Hears of every change from now on; a watch that ends begins anew. */
async function watch<T extends KubeObject>(
  { client, clock, signal }: Pick<NewsOptions, 'client' | 'clock' | 'signal'>,
  of: ResourceType,
  hear: (object: T, type: 'ADDED' | 'MODIFIED' | 'DELETED') => void,
): Promise<void> {
  const resource = client.resource<T>(of);
  while (!signal.aborted) {
    try {
      const { metadata } = await resource.list({ limit: 1, signal });
      const since = metadata.resourceVersion === undefined ? {} : { resourceVersion: metadata.resourceVersion };
      for await (const { type, object } of resource.watch({ ...since, signal })) {
        if (type !== 'BOOKMARK') hear(object, type);
      }
    } catch {
      if (signal.aborted) return;
    }
    await new Promise<void>((resolve) => clock.after(againMs, resolve));
  }
}

/** `FlinkDeployment counter: Submit: Starting deployment` */
function headline({ type, regarding, reason, note = '' }: NewsItem): string {
  const mark = type === 'Warning' ? '! ' : '';
  return `${mark}${regarding?.kind} ${regarding?.name}: ${reason}: ${note.split('\n')[0]}`;
}
