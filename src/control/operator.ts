import type { Clock } from '../clock/clock.ts';
import type { Random } from '../clock/random.ts';
import type { Client } from '../kube/client.ts';
import type { KubeObject } from '../kube/object.ts';
import { type Authority, alone, leadership, type Over } from './authority.ts';
import { Caches } from './caches.ts';
import type { Controller, View } from './controller.ts';
import { manager } from './custody.ts';
import { Events } from './events.ts';
import { type HealthServer, serveHealth } from './health.ts';
import { LeaderLease } from './lease.ts';
import { Leisure } from './leisure.ts';
import type { Log } from './log.ts';
import { Loop, type LoopOptions } from './loop.ts';
import type { Metrics } from './metrics.ts';
import { ShardAuthority } from './shards/shard-authority.ts';
import { Sight } from './sight.ts';
import { Surroundings } from './surroundings.ts';

/** A controller of any kind. What it observes is its own business. */
// biome-ignore lint/suspicious/noExplicitAny: a view goes from a controller's observe to the same controller's decide
export type AnyController = Controller<any, any>;

export interface OperatorOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** How each controller is made, by name; it opens the caches it needs. One that is switched off is not made. */
  readonly controllers: Readonly<Record<string, (caches: Caches) => AnyController>>;
  /** Ends the operator in good order: what is being carried out is finished, if it does not take long, and the lease given back. */
  readonly signal: AbortSignal;
  /** Which process this is: the pod's name. */
  readonly instance: string;
  /**
   * Act only while holding this lease. Without it this process must be the only one. With `shards`, all replicas act, each on
   * the keys of the shards whose leases it holds.
   */
  readonly lease?: { readonly namespace: string; readonly name: string; readonly shards?: number };
  /** Where `/livez`, `/readyz` and `/metrics` are served. */
  readonly health?: { readonly host?: string; readonly port: number };
  /** Controllers that are switched off, by name: they do not watch and do not act. */
  readonly off?: readonly string[];
  /** Controllers, by name, that take their kind over from one that managed it before. */
  readonly takeover?: readonly string[];
  /** Print decisions, write nothing; needs no lease, and may run beside anything. */
  readonly observeOnly?: boolean;
  /**
   * How long what is being carried out may take after `signal`: so long everybody waits for the next one to act. Default 1 s. What
   * is called off then is taken up by the next as after a crash.
   */
  readonly graceMs?: number;
  /** Is given what the operator knows of the cluster, before it knows anything: for admission webhooks and servers. */
  readonly onCaches?: (caches: Caches) => void;
  /** Freeze what is cached: for tests. */
  readonly freeze?: boolean;
}

/** How the operator ended. */
export type OperatorEnd =
  /** As asked. */
  | 'stopped'
  /** The lease was lost: another process may act now. Start a new process to compete again. */
  | 'lost'
  /** Somebody asked for the lease, and it was given: an uninstall. A new process waits until the lease is free again. */
  | 'yielded';

/**
 * Runs controllers until the signal aborts or the lease is lost.
 *
 * Caches are filled at once, so that a process that waits for the lease can act as soon as it has it; nothing is acted
 * on before. One that cannot fill them leaves the lease to others, and leads for what it sees if there are none. Everything it started has ended when it resolves.
 */
export async function runOperator(options: OperatorOptions): Promise<OperatorEnd> {
  const { client, clock, random, log, metrics, signal, observeOnly = false } = options;
  const caches = new Caches({ client, clock, random, log, metrics, freeze: options.freeze ?? false });
  options.onCaches?.(caches);
  const controllers = Object.entries(options.controllers)
    .filter(([name]) => !options.off?.includes(name))
    .map(([name, make]) => ({ name, controller: make(caches) }));
  const events = new Events({
    client,
    clock,
    random,
    log,
    metrics,
    controller: 'cutover.dev/operator',
    instance: options.instance,
  });
  const leisure = new Leisure(clock);
  const seen = Promise.withResolvers<void>();
  const sight = new Sight(clock, seen.promise);
  const authority = authorityOf();
  const kinds = controllers.map(({ name, controller }) => {
    const takeover = options.takeover?.includes(name) ?? false;
    const surroundings = new Surroundings(controller, { caches, clock, takeover, manager });
    const circumstances = (): ReturnType<Surroundings['circumstances']> => surroundings.circumstances();
    const placeOf = (key: string): string => (controller.shardBy === 'namespace' ? (key.split('/')[0] ?? '') : key);
    const permit: LoopOptions['permit'] = (key) => authority.permit(placeOf(key));
    const world = { client, clock, random, log, metrics, caches, events, leisure };
    const shared = { ...world, permit, circumstances, observeOnly, manager };
    return { controller, surroundings, placeOf, loop: new Loop<KubeObject, View>(controller, shared) };
  });
  const graceMs = options.graceMs ?? 1_000;

  function authorityOf(): Authority {
    if (!options.lease || observeOnly) return alone();
    const { shards, ...place } = options.lease;
    const shared = { client, clock, random, log, sight, identity: `${options.instance}_${random.uuid()}`, ...place };
    if (shards === undefined) return leadership(new LeaderLease(shared));
    const sharded = new ShardAuthority({
      ...shared,
      shards,
      taken(shard, isMine) {
        // What is done once and not per key is done by whoever holds the first.
        if (shard === 0) metrics.leading(true);
        for (const { loop, placeOf } of kinds) loop.reconsider((key) => isMine(placeOf(key)));
      },
      async letGo(shard, isMine, lost) {
        if (shard === 0) metrics.leading(false);
        const each = kinds.map(({ loop, placeOf }) => loop.letGo((key) => isMine(placeOf(key)), lost ? 0 : graceMs));
        await Promise.all(each);
      },
    });
    metrics.shards(shards, () => sharded.held());
    return sharded;
  }

  const watching = new AbortController();
  caches.start(watching.signal);
  let health: HealthServer | undefined;
  const ending = new AbortController();
  const end = (): void => ending.abort();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    if (options.health) {
      const ready = { caches: () => caches.unsynced().join(', ') || undefined };
      health = await serveHealth({ ...options.health, metrics, log, ready, live: { process: () => undefined } });
      log.info({ port: health.port }, 'health and metrics are served');
    }
    // What is known about others does not wait for the lease: who takes over knows at once whether they are alive.
    const known = kinds.map(({ surroundings, loop }) => surroundings.begin(ending.signal, () => loop.reconsider()));
    const synced = kinds.map(({ loop }) => loop.synced(ending.signal));
    void Promise.all([...known, ...synced, caches.seen(ending.signal)]).then(
      () => seen.resolve(),
      () => {},
    );
    if (!(await authority.begin(ending.signal))) return 'stopped';
    if (options.lease && !observeOnly && !sight.isClear)
      log.warn({ unseen: caches.unsynced() }, 'leading without having seen everything: nobody else took the lease');
    if (observeOnly || options.lease?.shards === undefined) metrics.leading(true);
    authority.over.addEventListener('abort', end, { once: true });
    if (authority.over.aborted) end();
    const started = kinds.map(async ({ controller, surroundings, loop }, index) => {
      await known[index];
      const why = surroundings.aside();
      if (why) log.warn({ controller: controller.name, why }, 'this kind is left alone');
      await loop.start(ending.signal);
      if (!ending.signal.aborted) log.info({ controller: controller.name }, 'working');
    });
    await Promise.all([...started, aborted(ending.signal)]);
    // Whoever lost the lease has no time left: another may act already.
    const left = overOr('stopped') === 'lost' ? 0 : graceMs;
    await Promise.all(kinds.map(({ loop }) => loop.stop(left)));
    return overOr('stopped');
  } finally {
    signal.removeEventListener('abort', end);
    for (const { surroundings } of kinds) surroundings.end();
    await authority.end();
    metrics.leading(false);
    // What is told of deeds keeps nobody waiting for the lease.
    await events.close();
    watching.abort();
    await caches.stopped();
    await health?.close();
    log.info({}, ended[overOr('stopped')]);
  }

  function overOr(otherwise: OperatorEnd): OperatorEnd {
    return authority.over.aborted ? (authority.over.reason as Over) : otherwise;
  }
}

const ended: Readonly<Record<OperatorEnd, string>> = {
  stopped: 'ended',
  lost: 'ended: the lease was lost',
  yielded: 'ended: somebody asked for the lease',
};

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
