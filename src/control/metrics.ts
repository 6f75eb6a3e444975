import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { boundedLabel } from './bounded-label.ts';
import { type Lane, lanes } from './lanes.ts';
import { catalogueOf, type MetricInfo } from './metric-catalogue.ts';

/** How one reconcile ended. */
export type ReconcileResult =
  /** Everything decided was done; the next event or `wakeAt` brings the key back. */
  | 'settled'
  /** A call or a refusal gave an outcome; the key is decided again soon. */
  | 'again'
  /** The world was not as the view showed it; observed again after a short wait. */
  | 'conflict'
  /** The API server or a port could not; retried with back-off. */
  | 'retry'
  /** The same decision again and again on the same view; retried with back-off. */
  | 'repeated'
  /** The program is wrong about this object: `observe` or `decide` failed. Reported, and retried with back-off. */
  | 'bug'
  /** Stopped on the way: shutdown or a lost lease. */
  | 'stopped';

/** What a queue shows to metrics when they are read. */
interface QueueReading {
  depth(lane: Lane): number;
  readonly delayed: number;
}

/** What a cache shows to metrics when they are read. */
interface CacheReading {
  readonly size: number;
  /** How long it may have been out of date; 0 while its watch is well. */
  readonly staleMs: number;
}

/** What the loop tells about itself, in Prometheus' text format. */
export interface Metrics {
  /** The page for `/metrics`. */
  page(): Promise<{ readonly contentType: string; readonly text: string }>;
  /** What is on that page, whether or not it has been counted yet: for documentation. */
  catalogue(): readonly MetricInfo[];
  queue(controller: string, queue: QueueReading): void;
  cache(resource: string, read: () => CacheReading): void;
  waited(controller: string, lane: Lane, ms: number): void;
  reconciled(controller: string, result: ReconcileResult, ms: number): void;
  /** An action was carried out (not skipped as already true). */
  acted(controller: string, action: string): void;
  /** The same decision was made again on an unchanged view: something writes in circles. */
  repeated(controller: string): void;
  apiCall(verb: string, resource: string, code: string, ms: number): void;
  watchRestarted(resource: string, why: string): void;
  leading(held: boolean): void;
  /** Among how many shards the work is shared, and which of them this process holds; asked when metrics are read. */
  shards(count: number, held: () => readonly number[]): void;
  /** A certificate that is served or trusted. `secondsLeft` is asked when metrics are read; nothing while there is none. */
  certificate(name: string, secondsLeft: () => number | undefined): void;
  /** Something was said about an object, whether or not it could be written. */
  eventSaid(type: 'Normal' | 'Warning', reason: string): void;
  eventDropped(): void;
}

/** Latencies from a millisecond to a minute. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** How often the delay of the event loop is measured. By default it is so often that an idle process spends most of its time on that. */
const delaySampleMs = 100;

/** More reasons than all families have together: a mistake that makes up reasons must not fill a database. */
const mostReasons = 250;

export interface MetricsOptions {
  /** Whether it tells of the process as well: memory, processor, event loop. Default true. */
  readonly process?: boolean;
  /** What runs; absent: nothing is told of that. */
  readonly version?: string;
}

/** Metrics in a registry of their own: nothing is global, two operators in one process do not meet. */
export function createMetrics(options: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (options.process ?? true) {
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: delaySampleMs });
    memoryLimit(registry);
  }
  if (options.version !== undefined) buildInfo(registry, options.version);

  const queues = new Map<string, QueueReading>();
  const caches = new Map<string, () => CacheReading>();
  new Gauge({
    name: 'cutover_queue_depth',
    help: 'Keys that could be worked on now, by lane; lane "delayed" counts those that wait for their time.',
    labelNames: ['controller', 'lane'],
    registers,
    collect() {
      for (const [controller, queue] of queues) {
        for (const lane of lanes) this.set({ controller, lane }, queue.depth(lane));
        this.set({ controller, lane: 'delayed' }, queue.delayed);
      }
    },
  });
  new Gauge({
    name: 'cutover_cache_objects',
    help: 'Objects held in memory, by resource.',
    labelNames: ['resource'],
    registers,
    collect() {
      for (const [resource, read] of caches) this.set({ resource }, read().size);
    },
  });
  new Gauge({
    name: 'cutover_cache_stale_seconds',
    help: 'How long a cache may have been out of date because its watch or first list does not succeed, by resource; 0 while all is well.',
    labelNames: ['resource'],
    registers,
    collect() {
      for (const [resource, read] of caches) this.set({ resource }, read().staleMs / 1000);
    },
  });
  const certificates = new Map<string, () => number | undefined>();
  new Gauge({
    name: 'cutover_certificate_expiry_seconds',
    help: 'Seconds until a certificate ends, by what it is for; negative once it has ended.',
    labelNames: ['certificate'],
    registers,
    collect() {
      this.reset();
      for (const [certificate, secondsLeft] of certificates) {
        const left = secondsLeft();
        if (left !== undefined) this.set({ certificate }, left);
      }
    },
  });
  const queueLatency = new Histogram({
    name: 'cutover_queue_latency_seconds',
    help: 'How long keys stood in line after they were due.',
    labelNames: ['controller', 'lane'],
    buckets,
    registers,
  });
  const reconcileDuration = new Histogram({
    name: 'cutover_reconcile_duration_seconds',
    help: 'How long one reconcile took, by result.',
    labelNames: ['controller', 'result'],
    buckets,
    registers,
  });
  const actions = new Counter({
    name: 'cutover_actions_total',
    help: 'Actions carried out; those skipped because they were true already are not counted.',
    labelNames: ['controller', 'action'],
    registers,
  });
  const repeated = new Counter({
    name: 'cutover_repeated_decisions_total',
    help: 'Times that the same decision was made three times or more on an unchanged view.',
    labelNames: ['controller'],
    registers,
  });
  const apiCalls = new Counter({
    name: 'cutover_api_calls_total',
    help: 'Requests to the API server by verb, resource and status code; code "none" means no answer.',
    labelNames: ['verb', 'resource', 'code'],
    registers,
  });
  const apiLatency = new Histogram({
    name: 'cutover_api_call_duration_seconds',
    help: 'Time to the first byte of the answer, by verb; watches are not timed.',
    labelNames: ['verb'],
    buckets,
    registers,
  });
  const watchRestarts = new Counter({
    name: 'cutover_watch_restarts_total',
    help: 'Times that a watch ended in trouble and was started again, by resource and kind of error.',
    labelNames: ['resource', 'why'],
    registers,
  });
  const leader = new Gauge({
    name: 'cutover_leader',
    help: '1 while this process holds the leader lease, or the first shard.',
    registers,
  });
  let shards: { readonly count: number; readonly held: () => readonly number[] } | undefined;
  new Gauge({
    name: 'cutover_shard_held',
    help: '1 for each shard whose lease this process holds, 0 for the others; nothing when the work is not shared.',
    labelNames: ['shard'],
    registers,
    collect() {
      const held = shards?.held() ?? [];
      for (let shard = 0; shard < (shards?.count ?? 0); shard++) this.set({ shard }, held.includes(shard) ? 1 : 0);
    },
  });
  const eventsSaid = new Counter({
    name: 'cutover_events_total',
    help: 'Kubernetes events that the operator had to say, by type and reason; repetitions within six minutes count once.',
    labelNames: ['type', 'reason'],
    registers,
  });
  const reasonLabel = boundedLabel(mostReasons);
  const eventsDropped = new Counter({
    name: 'cutover_events_dropped_total',
    help: 'Events that were not sent because there were too many or the API server refused them.',
    registers,
  });

  return {
    page: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    catalogue: () => catalogueOf(registry),
    queue: (controller, queue) => void queues.set(controller, queue),
    cache: (resource, read) => void caches.set(resource, read),
    waited: (controller, lane, ms) => queueLatency.observe({ controller, lane }, ms / 1000),
    reconciled: (controller, result, ms) => reconcileDuration.observe({ controller, result }, ms / 1000),
    acted: (controller, action) => actions.inc({ controller, action }),
    repeated: (controller) => repeated.inc({ controller }),
    apiCall(verb, resource, code, ms) {
      apiCalls.inc({ verb, resource, code });
      if (verb !== 'watch') apiLatency.observe({ verb }, ms / 1000);
    },
    watchRestarted: (resource, why) => watchRestarts.inc({ resource, why }),
    leading: (held) => leader.set(held ? 1 : 0),
    shards(count, held) {
      shards = { count, held };
    },
    eventSaid: (type, reason) => eventsSaid.inc({ type, reason: reasonLabel(reason) }),
    certificate: (name, secondsLeft) => void certificates.set(name, secondsLeft),
    eventDropped: () => eventsDropped.inc(),
  };
}

/** Node answers with more than any machine has when nothing limits it. */
const unlimited = 2 ** 50;

function memoryLimit(registry: Registry): void {
  new Gauge({
    name: 'cutover_memory_limit_bytes',
    help: 'Memory that the process may use before it is killed, as its cgroup says; 0 when nothing limits it.',
    registers: [registry],
    collect() {
      const limit = process.constrainedMemory();
      this.set(limit < unlimited ? limit : 0);
    },
  });
}

function buildInfo(registry: Registry, version: string): void {
  new Gauge({
    name: 'cutover_build_info',
    help: 'Always 1; the labels say which version runs, and on which Node.',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version, node: process.versions.node }, 1);
}
