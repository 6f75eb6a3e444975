import type { Clock, Instant } from '../clock/clock.ts';
import type { Random } from '../clock/random.ts';
import { suffix } from '../clock/random.ts';
import type { Client } from '../kube/client.ts';
import { isKubeError } from '../kube/error.ts';
import { kinds } from '../kube/kinds.ts';
import type { KubeObject } from '../kube/object.ts';
import type { ObjectName } from '../kube/path.ts';
import { nameOf } from '../kube/resource.ts';
import { Bucket } from './bucket.ts';
import type { EventAction } from './decision.ts';
import { digest } from './digest.ts';
import { legible } from './legible.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** Takes what is to be said about objects. Returns at once and never fails. */
export interface EventSink {
  record(event: EventAction): void;
}

export interface EventsOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Who says it: `cutover.dev/operator`. */
  readonly controller: string;
  /** Which one of them: the pod's name. */
  readonly instance: string;
}

/** The part of `events.k8s.io/v1` that we write. */
interface KubeEvent extends KubeObject {
  readonly eventTime: string;
  readonly series?: { readonly count: number; readonly lastObservedTime: string };
}

/** One thing that is said, perhaps again and again, about one object. There may be thousands: the event itself is not kept. */
interface Series {
  readonly event: ObjectName;
  count: number;
  lastAt: Instant;
  /** What the server knows of `count`. */
  sentCount: number;
}

/** Within this time a repeated word continues its series; after it a new event begins. As client-go. */
const seriesWindowMs = 6 * 60_000;
/** How often the count of a series is written at most. */
const seriesWriteMs = 60_000;
/** The API server refuses longer notes. */
const longestNote = 1024;
/** Beyond this the oldest series are forgotten: a repetition then begins a new event. */
const mostSeries = 4096;
/** Beyond this new events are dropped: the API server is not keeping up. */
const mostOutstanding = 1000;
/** So long may it take to write what is outstanding at the end. */
const closingMs = 3_000;
/** Per object and reason: 25 at once, one more every five minutes. A reason that never ends silences no other. */
const perReason = { burst: 25, perSecond: 1 / 300 };

/**
 * Writes events to the API server, in the background and one at a time.
 *
 * The same reason and note about the same object within six minutes is one event with a count, not many. What is said
 * too often for one reason is said less. What cannot be written is dropped and counted: events are a courtesy, conditions
 * are the record.
 */
export class Events implements EventSink {
  readonly #options: EventsOptions;
  readonly #series = new Map<string, Series>();
  readonly #buckets = new Map<string, Bucket>();
  #writing: Promise<void> = Promise.resolve();
  #outstanding = 0;
  #timer: (() => void) | undefined;
  #closed = false;
  readonly #late = new AbortController();

  constructor(options: EventsOptions) {
    this.#options = options;
  }

  record(action: EventAction): void {
    if (this.#closed) return;
    const { clock } = this.#options;
    const now = clock.now();
    const key = digest([action.about.uid, action.reason, action.note, action.warning ?? false]);
    const series = this.#series.get(key);
    if (series && now - series.lastAt < seriesWindowMs) {
      series.count += 1;
      series.lastAt = now;
      this.#timer ??= clock.after(seriesWriteMs, () => this.#writeCounts());
      return;
    }
    if (!this.#bucket(`${action.about.uid} ${action.reason}`).take()) {
      this.#drop(action.reason, 'too many events of one reason about one object');
      return;
    }
    this.#logged(action);
    const event = this.#event(action, now);
    const fresh = { event: nameOf(event), count: 1, lastAt: now, sentCount: 1 };
    this.#series.delete(key);
    this.#series.set(key, fresh);
    for (const oldest of this.#series.keys()) {
      if (this.#series.size <= mostSeries) break;
      this.#series.delete(oldest);
    }
    const resource = this.#options.client.resource<KubeEvent>(kinds.events);
    this.#write(action.reason, (signal) => resource.create(event, { signal }));
  }

  /** Writes what is outstanding as far as that is done in time, then nothing more: an end must not wait for a courtesy. */
  async close(): Promise<void> {
    if (this.#timer) this.#writeCounts();
    this.#closed = true;
    const inTime = this.#options.clock.after(closingMs, () => this.#late.abort());
    await this.#writing;
    inTime();
  }

  /** What people are told is in the log as well: events are gone after an hour, and may be dropped. */
  #logged({ about, reason, note, warning }: EventAction): void {
    const { kind, namespace, name } = about;
    this.#options.metrics.eventSaid(warning ? 'Warning' : 'Normal', reason);
    const fields = { event: reason, about: `${kind} ${namespace ? `${namespace}/` : ''}${name}` };
    if (warning) this.#options.log.warn(fields, note);
    else this.#options.log.info(fields, note);
  }

  #event(action: EventAction, now: Instant): KubeEvent {
    const { controller, instance, random } = this.#options;
    const { about } = action;
    const event = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: {
        // Names are at most 253 long; a suffix of ten keeps two events of one instant apart.
        name: `${about.name.slice(0, 242)}.${suffix(random, 10)}`,
        namespace: about.namespace ?? 'default',
      },
      eventTime: microTime(now),
      reportingController: controller,
      reportingInstance: instance.slice(0, 128),
      action: 'Reconcile',
      reason: action.reason.slice(0, 128),
      regarding: about,
      note: shortened(legible(action.note)),
      type: action.warning ? 'Warning' : 'Normal',
    };
    return event;
  }

  #bucket(of: string): Bucket {
    const bucket = this.#buckets.get(of) ?? new Bucket(this.#options.clock, perReason);
    this.#buckets.delete(of);
    this.#buckets.set(of, bucket);
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size <= mostSeries) break;
      this.#buckets.delete(oldest);
    }
    return bucket;
  }

  #writeCounts(): void {
    this.#timer?.();
    this.#timer = undefined;
    const resource = this.#options.client.resource<KubeEvent>(kinds.events);
    for (const [key, series] of this.#series) {
      if (series.count > series.sentCount) {
        series.sentCount = series.count;
        const body = { series: { count: series.count, lastObservedTime: microTime(series.lastAt) } };
        this.#write(series.event.name, (signal) => resource.patch(series.event, { type: 'merge', body }, { signal }));
      } else if (this.#options.clock.now() - series.lastAt >= seriesWindowMs) {
        this.#series.delete(key);
      }
    }
  }

  /** One after the other: events must not crowd out the work they tell about. */
  #write(what: string, send: (signal: AbortSignal) => Promise<unknown>): void {
    if (this.#outstanding >= mostOutstanding) {
      this.#drop(what, 'too many events wait to be written');
      return;
    }
    this.#outstanding += 1;
    this.#writing = this.#writing.then(async () => {
      try {
        await send(this.#late.signal);
      } catch (error) {
        this.#drop(what, isKubeError(error) ? error.message : String(error));
      }
      this.#outstanding -= 1;
    });
  }

  #drop(what: string, why: string): void {
    this.#options.metrics.eventDropped();
    this.#options.log.debug({ event: what, why }, 'an event was dropped');
  }
}

/** `metav1.MicroTime`. */
export function microTime(instant: Instant): string {
  return new Date(instant).toISOString().replace('Z', '000Z');
}

/** At most 1 KiB of UTF-8, cut between characters, with an ellipsis where something is missing. */
function shortened(note: string): string {
  if (Buffer.byteLength(note) <= longestNote) return note;
  const kept = Buffer.from(note)
    .subarray(0, longestNote - 3)
    .toString('utf8');
  // A character that was cut in half decodes to U+FFFD.
  return `${kept.replace(/\uFFFD+$/, '')}…`;
}
