import { type Clock, sleep } from '../../clock/clock.ts';
import type { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import { kinds } from '../../kube/kinds.ts';
import {
  LeaseGone,
  none,
  type OurFinalizer,
  type Released,
  releaseResources,
  type Unread,
} from './release-resources.ts';

/** The lease of the operators, as far as it matters here. */
export interface OperatorLease {
  held(): boolean;
  /** Sees how it stands, and does nothing. */
  look(signal: AbortSignal): Promise<void>;
  /** Takes it if it can be taken now. */
  attempt(signal: AbortSignal): Promise<boolean>;
  ask(signal: AbortSignal): Promise<void>;
  release(): Promise<void>;
  linger(ms: number): Promise<void>;
  readonly sighting: {
    readonly lease: { readonly spec?: { readonly holderIdentity?: string } } | undefined;
    readonly renewals: number;
  };
}

export interface Uninstall {
  readonly client: Client;
  readonly clock: Clock;
  readonly lease: OperatorLease;
  /** What the lease is called, for people: `operators/cutover`. */
  readonly leaseName: string;
  readonly finalizers: readonly OurFinalizer[];
  readonly namespaces: readonly string[];
  readonly dryRun: boolean;
  readonly wait: boolean;
  /** Go on although there is no lease. */
  readonly withoutLease: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** How it ended; the exit codes of the command. */
export const exitCodes = {
  /** Nothing holds any resource. */
  done: 0,
  /** Something went wrong; what was done is done, and another run does the rest. */
  failed: 1,
  /** An operator is alive, and was not to be asked to give way. Nothing was changed. */
  alive: 2,
  /** There is no lease, so an operator may be alive that has it elsewhere. Nothing was changed. */
  astray: 2,
  /** There was no time left. Another run does the rest. */
  late: 3,
} as const;

export type UninstallEnd = keyof typeof exitCodes;

/** How long operators that gave way stand by afterwards: their pods are about to go, or somebody changed their mind. */
const lingerMs = 60_000;
const lookMs = 1_000;

/**
 * Takes the lease of the operators, so that nobody acts, and then our finalizers off all resources. What they own goes on
 * running, and an operator that is installed again goes on with it. An operator that is alive is only asked to give way if
 * that is wanted: it finishes what it has in hand, ends, and waits for the lease like any other.
 */
export async function uninstall(options: Uninstall): Promise<UninstallEnd> {
  const { clock, lease, dryRun, timeoutMs, say } = options;
  const limit = new AbortController();
  const late = clock.after(timeoutMs, () => limit.abort());
  const signal = AbortSignal.any([options.signal, limit.signal]);
  let gaveWay = false;
  try {
    if (!dryRun) {
      const taken = await take(options, signal);
      if (taken === 'alive' || taken === 'astray') return taken;
      gaveWay = taken === 'given';
    }
    const first = await releaseAll(options, signal);
    // Replicas that stand by serve webhooks and APIs to the last: what was made meanwhile has our finalizer from the start.
    const all = dryRun ? first : sum(first, await releaseAll(options, signal, 'again'));
    const unread = await withoutGone(options, all.unread, signal);
    say(summary({ ...all, unread }, dryRun));
    return all.held.length + unread.length > 0 ? 'failed' : 'done';
  } catch (error) {
    if (limit.signal.aborted) {
      say(`There was no time left within ${timeoutMs / 1000} s. Run it again: it goes on where it ended.`);
      return 'late';
    }
    if (options.signal.aborted) {
      say('Interrupted. Run it again: it goes on where it ended.');
      return 'failed';
    }
    if (!isKubeError(error) && !(error instanceof LeaseGone)) throw error;
    say(`It did not work: ${error.message}. Run it again: it goes on where it ended.`);
    return 'failed';
  } finally {
    late();
    // Operators that gave way would begin again at once, although they are about to be removed.
    await (gaveWay ? lease.linger(lingerMs) : lease.release()).catch(() => {});
  }
}

/** `given`: an operator had it and gave it away. */
async function take(options: Uninstall, signal: AbortSignal): Promise<'free' | 'given' | 'alive' | 'astray'> {
  const { clock, lease, leaseName, wait, withoutLease, say } = options;
  // An operator makes its lease when it first leads, and leaves it behind. Taking one that nobody ever had would stop nobody.
  await lease.look(signal);
  if (lease.sighting.lease === undefined && !withoutLease) {
    say(
      `There is no lease ${leaseName}, so nothing was changed. An operator may have its lease elsewhere and be alive. Say with --lease-namespace where it is; if no operator runs at all, give --without-lease.`,
    );
    return 'astray';
  }
  let holder = '';
  for (;;) {
    signal.throwIfAborted();
    if (await lease.attempt(signal)) {
      if (holder !== '') say(wait ? 'Nobody acts any more.' : 'It gave no sign of life: nobody acts.');
      return holder !== '' && wait ? 'given' : 'free';
    }
    const { sighting } = lease;
    const seen = sighting.lease?.spec?.holderIdentity ?? '';
    if (seen !== '' && holder === '') {
      say(`${nameOf(seen)} the lease ${leaseName}. ${wait ? 'Asking for it.' : 'Looking whether that is alive.'}`);
      holder = seen;
    }
    if (wait) await lease.ask(signal);
    else if (sighting.renewals > 0) {
      say(
        'An operator is alive, so nothing was changed. Stop it first (`kubectl scale deployment … --replicas=0`), or let it give way with --wait.',
      );
      return 'alive';
    }
    await sleep(clock, lookMs, signal);
  }
}

function nameOf(holder: string): string {
  const shards = /^shards-(\d+)$/.exec(holder)?.[1];
  return shards === undefined ? `${holder} holds` : `Operators that share ${shards} shards hold`;
}

/** What two passes did: the second one met again whatever the first could not release. */
function sum(first: Released, second: Released): Released {
  return { ...second, released: first.released + second.released, gone: first.gone + second.gone };
}

/** `again`: only what is new is told. */
async function releaseAll(options: Uninstall, signal: AbortSignal, again?: 'again'): Promise<Released> {
  const { client, lease, finalizers, namespaces, dryRun, say } = options;
  let all = none;
  for (const one of finalizers) {
    const { kind } = one.type;
    const released = await releaseResources(client, one, {
      ...{ namespaces, dryRun, signal },
      mayGoOn: () => dryRun || lease.held(),
      onProgress: (so) => say(`${kind}: ${so.released} so far`),
    });
    if (!again) {
      say(`${kind}: ${released.released} ${dryRun ? 'would be released' : 'released'}${andGone(released, dryRun)}`);
      if (released.left > 0) {
        say(`${kind}: ${released.left} left to ${released.keepers.join(' and ')}, by whom their status is kept`);
      }
      for (const one of released.held) say(`${kind} ${one}`);
    } else if (released.released > 0) say(`${kind}: ${released.released} more released, made meanwhile`);
    all = {
      released: all.released + released.released,
      gone: all.gone + released.gone,
      held: [...all.held, ...released.held],
      left: all.left + released.left,
      keepers: [...new Set([...all.keepers, ...released.keepers])],
      unread: [...all.unread, ...released.unread],
    };
  }
  return all;
}

/** What could not be looked at, without the namespaces that are known to be gone: nothing is left there. Tells of both. */
async function withoutGone(
  { client, say }: Uninstall,
  unread: readonly Unread[],
  signal: AbortSignal,
): Promise<readonly Unread[]> {
  const left: Unread[] = [];
  for (const namespace of new Set(unread.map((one) => one.namespace))) {
    const there = unread.filter((one) => one.namespace === namespace);
    if (await isGone(client, namespace, signal)) {
      say(`Namespace ${namespace} is gone: nothing is held there.`);
      continue;
    }
    left.push(...there);
    say(
      `Namespace ${namespace}: ${there.map(({ kind }) => kind).join(', ')} may not be read, so nothing was released there: ${there[0]?.why}. If the namespace was deleted, there is nothing to do in it: leave it out of watchNamespaces and --watch-namespace. Otherwise give the right back, or run cutover uninstall --watch-namespace ${namespace} as somebody who has it.`,
    );
  }
  return left;
}

/** `false` also where nobody may know. */
async function isGone(client: Client, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    await client.resource(kinds.namespaces).get({ name }, { signal });
    return false;
  } catch (error) {
    if (isKubeError(error, 'not-found')) return true;
    if (isKubeError(error, 'forbidden')) return false;
    throw error;
  }
}

function andGone({ gone }: Released, dryRun: boolean): string {
  return gone === 0 ? '' : `, of which ${gone} ${dryRun ? 'wait' : 'waited'} to be deleted`;
}

function summary({ released, held, unread }: Released, dryRun: boolean): string {
  const blind = [...new Set(unread.map(({ namespace }) => namespace))].join(', ');
  const but = blind === '' ? '' : ` Not everything could be looked at in ${blind}, for the reasons above.`;
  if (dryRun) return `Nothing was changed. ${released} resources would be released.${but}`;
  if (held.length === 0 && blind !== '') {
    return `${released} resources released.${but} Run it again: it goes on where it ended. To remove Cutover all the same: helm uninstall --no-hooks.`;
  }
  if (held.length > 0) {
    return `${released} resources released, ${held.length} not, for the reasons above.${but} Run it again: it goes on where it ended.`;
  }
  return `Done: ${released} resources released. What they run goes on running, and nothing looks after it until an operator is there again.`;
}
