import type { Clock, Instant } from '../clock/clock.ts';
import type { Random } from '../clock/random.ts';
import type { Client } from '../kube/client.ts';
import { isKubeError } from '../kube/error.ts';
import type { AnyObject, KubeObject } from '../kube/object.ts';
import { keyOf } from '../kube/reflector/key.ts';
import { type Acted, act, describeAction } from './act.ts';
import { alreadyTrue } from './actions/already-true.ts';
import type { Hands } from './actions/hands.ts';
import { Journal } from './actions/journal.ts';
import type { Permit } from './authority.ts';
import type { Cached, Caches, Change } from './caches.ts';
import { Calls } from './calls.ts';
import type { Controller, View } from './controller.ts';
import { type Circumstances, type Custody, custody } from './custody.ts';
import { type Decision, flaw, refTo } from './decision.ts';
import type { EventSink } from './events.ts';
import { InHand } from './in-hand.ts';
import { kindTable } from './kinds.ts';
import type { Lane } from './lanes.ts';
import type { Leisure } from './leisure.ts';
import type { Log } from './log.ts';
import type { Metrics, ReconcileResult } from './metrics.ts';
import { OutcomeBook } from './outcome.ts';
import { type Lease, WorkQueue } from './queue.ts';
import { raceAbort } from './race-abort.ts';
import { Repetition } from './repetition.ts';
import { firstLaneOf, laneOf, type Trigger } from './trigger.ts';
import { isBlindIn, unreadableIn } from './unread.ts';

export interface LoopOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly caches: Caches;
  readonly events: EventSink;
  /** The right to act on a key, if this process has it: by the leader lease, or that of its shard. */
  readonly permit: (key: string) => Permit | undefined;
  /** The pace of looks at everything, which all loops of the process share. */
  readonly leisure: Leisure;
  /** What is known about others who manage this kind. */
  readonly circumstances: () => Circumstances;
  /** Print decisions, write nothing. */
  readonly observeOnly: boolean;
  /** The field manager of everything we write. */
  readonly manager: string;
}

/** One look at one key: what it is about and when it began, by both clocks. */
interface Turn {
  readonly key: string;
  readonly permit: Permit;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** The time that is decided on. */
  readonly now: Instant;
  /** The same moment, for measuring: meanwhile somebody may set the wall clock. */
  readonly began: number;
}

/** Every key is looked at this often even if nothing happened, give or take a tenth. */
const resyncMs = 10 * 60 * 60_000;
/** Of its workers, a look at everything takes this part at most: what it waits for may hang, and edits do not wait for that. */
const resyncPart = 1 / 4;

/** After so long it is looked whether a namespace that could not be read can be read by now. */
const blindMs = 30_000;

/** Another controller may remove our condition as often as it likes: we do not write it more often than this. */
const asideAgainMs = 60 * 60_000;

/**
 * Turns one controller: changes become keys, keys become views, views decisions, decisions actions.
 *
 * Guarantees: one reconcile per key at a time; a key is looked at after its last change; nothing is done before all
 * caches have been filled, nor after the lease is lost; whatever a family's code throws stays within its key.
 */
export class Loop<T extends KubeObject, V extends View> {
  readonly #controller: Controller<T, V>;
  readonly #options: LoopOptions;
  readonly #queue: WorkQueue;
  readonly #looksAt: readonly Pick<Cached, 'type' | 'synced' | 'isBlindIn' | 'troubleIn'>[];
  readonly #outcomes: OutcomeBook;
  readonly #repetition: Repetition;
  readonly #hands: Hands;
  readonly #log: Log;
  readonly #unsubscribe: (() => void)[] = [];
  /** By key: whose it is; what `--observe-only` printed last; when a condition was last written about standing aside. */
  readonly #uids = new Map<string, string | undefined>();
  readonly #printed = new Map<string, string>();
  readonly #asideAt = new Map<string, { readonly why: string; readonly at: number }>();
  readonly #inHand: InHand;
  #workers: Promise<void>[] = [];
  #isStopping = false;

  constructor(controller: Controller<T, V>, options: LoopOptions) {
    const { clock, client, caches, events, leisure, manager } = options;
    this.#controller = controller;
    this.#options = options;
    this.#log = options.log.child({ controller: controller.name });
    const mostResyncs = Math.max(2, Math.ceil(workersOf(controller) * resyncPart));
    this.#queue = new WorkQueue({ clock, leisure, mostResyncs });
    this.#outcomes = new OutcomeBook(clock);
    const calls = new Calls(controller.ports ?? {}, this.#outcomes, (key) => this.#queue.add(key));
    this.#inHand = new InHand(clock, calls);
    this.#repetition = new Repetition(clock);
    const watched = [controller.primary, ...(controller.triggers ?? []).map((trigger) => trigger.cached)];
    this.#looksAt = [...watched, ...(controller.reads ?? [])];
    this.#hands = {
      client,
      clock,
      kinds: kindTable([...watched.map((cached) => cached.type), ...(controller.kinds ?? [])], controller.foundKinds),
      mirror: caches,
      calls,
      events,
      manager,
    };
    options.metrics.queue(controller.name, this.#queue);
  }

  /** Waits for the caches, then works until `stop`. Returns when working has begun, or the signal aborts. */
  async start(signal: AbortSignal): Promise<void> {
    const { primary, triggers = [], outside = [] } = this.#controller;
    await this.synced(signal);
    if (signal.aborted) return;
    this.#unsubscribe.push(
      primary.changes((change) => this.#add(change.key, laneOf(change))),
      ...triggers.map((trigger) => trigger.cached.changes((change) => this.#triggered(trigger, change))),
      ...outside.map((source) => source.listen((key) => this.#add(key))),
    );
    this.#resyncLater();
    this.#workers = Array.from({ length: workersOf(this.#controller) }, () => this.#work());
  }

  /** Resolves when all that is looked at has been seen once, but for namespaces that must not be read, or the signal aborts. */
  async synced(signal: AbortSignal): Promise<void> {
    for (const cached of this.#looksAt) await cached.synced(signal);
  }

  /**
   * Looks at every key again, or at those that are meant, without haste: what is known about them as a whole has changed. What
   * people asked for while nobody was there comes first, as after a start.
   */
  reconsider(isMeant: (key: string) => boolean = () => true): void {
    for (const object of this.#controller.primary.all()) {
      const key = keyOf(object);
      if (isMeant(key)) this.#add(key, firstLaneOf(object));
    }
  }

  /**
   * Lets go of some keys, for which there are no more permits, and ends what is in hand as `stop` does. What was known of them in
   * memory is forgotten: another will act on them meanwhile.
   */
  async letGo(isMeant: (key: string) => boolean, graceMs: number): Promise<void> {
    await this.#inHand.end(isMeant, graceMs, new Error('another replica takes over'));
    for (const key of this.#uids.keys()) if (isMeant(key)) this.#forget(key);
  }

  /**
   * Takes no more work, and ends what is in hand: what is only being looked at, at once; what is being carried out, after `graceMs` at
   * most. Nothing of it runs any more when it resolves.
   */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe();
    this.#queue.close();
    await this.#inHand.end(() => true, graceMs, new Error('shutting down'));
    await Promise.all(this.#workers);
  }

  /** A family's mapping that throws must not take the cache down with it: it is a bug that is told and forgotten. */
  #triggered(trigger: Trigger, { before, after, initial }: Change<KubeObject>): void {
    try {
      const concerned = new Set([...(before ? trigger.keys(before) : []), ...(after ? trigger.keys(after) : [])]);
      for (const key of concerned) this.#add(key, initial ? 'resync' : 'change');
    } catch (error) {
      this.#log.error({ error, trigger: trigger.cached.type.kind }, 'a bug: no keys for this change');
    }
  }

  /** What another replica acts on is not even looked at. */
  #add(key: string, lane?: Lane): void {
    if (this.#options.permit(key)) this.#queue.add(key, lane && { lane });
  }

  #resyncLater(): void {
    const { clock, random } = this.#options;
    const cancel = clock.after(resyncMs * (0.9 + 0.2 * random.next()), () => {
      this.reconsider();
      this.#unsubscribe.splice(this.#unsubscribe.indexOf(cancel), 1);
      this.#resyncLater();
    });
    this.#unsubscribe.push(cancel);
  }

  async #work(): Promise<void> {
    const { clock, metrics } = this.#options;
    const { name } = this.#controller;
    for (;;) {
      const lease = await this.#queue.take();
      if (!lease) return;
      const started = clock.monotonic();
      metrics.waited(name, lease.lane, lease.waitedMs);
      const result = await this.#reconcile(lease);
      metrics.reconciled(name, result, clock.monotonic() - started);
      lease.done();
    }
  }

  /** The caches say why, and try again by themselves. */
  #later(key: string): ReconcileResult {
    this.#queue.add(key, { after: blindMs });
    return 'retry';
  }

  /** One look at one key. Never throws. */
  async #reconcile(lease: Lease): Promise<ReconcileResult> {
    const { clock, random } = this.#options;
    const { key } = lease;
    if (this.#isStopping) return 'stopped';
    const object = this.#controller.primary.get(key);
    if (!object) return this.#forget(key);
    const permit = this.#options.permit(key);
    if (!permit) return 'stopped';
    const { namespace = '' } = object.metadata;
    const unreadable = unreadableIn(namespace, this.#looksAt);
    if (unreadable.length === 0 && isBlindIn(namespace, this.#looksAt)) return this.#later(key);
    // A successor of the same name, seen before its predecessor was missed, inherits nothing.
    if (this.#uids.get(key) !== object.metadata.uid) this.#forget(key);
    this.#uids.set(key, object.metadata.uid);
    const log = this.#log.child({ key, reconcile: random.uuid().slice(0, 8) });
    const limit = new AbortController();
    const deadlineMs = this.#controller.deadlineMs ?? 60_000;
    const late = clock.after(deadlineMs, () => limit.abort(new Error(`not done within ${deadlineMs / 1000} s`)));
    const end = this.#inHand.begin(key, limit);
    try {
      const [now, began] = [clock.now(), clock.monotonic()];
      return await this.#turn({ key, permit, signal: limit.signal, log, now, began }, object, unreadable);
    } catch (error) {
      if (limit.signal.aborted && error === limit.signal.reason) return this.#noTime(key, permit, error, log);
      return this.#trouble(key, error, log);
    } finally {
      late();
      end();
    }
  }

  async #turn(turn: Turn, object: T, unreadable: readonly string[]): Promise<ReconcileResult> {
    const { key, signal, now } = turn;
    const held = custody(object as unknown as AnyObject, { ...this.#options.circumstances(), unreadable }, now);
    if (held) return this.#standAside(turn, object, held);
    this.#asideAt.delete(key);

    const outcomes = this.#outcomes.of(key);
    // What `observe` waits for may never come: the key and its worker are worth more than the answer.
    const seen = this.#controller.observe(key, { object, now, outcomes, signal });
    const view = await raceAbort(Promise.resolve(seen), signal);
    const decision = this.#controller.decide(view);
    const wrong = flaw(decision);
    if (wrong) throw new Error(`the decision is flawed: ${wrong}`);
    if (this.#options.observeOnly) return this.#print(turn, decision);

    const hold = this.#repetition.hold(key, view, decision);
    if (hold > 0) {
      this.#queue.add(key, { after: hold });
      return 'repeated';
    }
    const acted = await this.#act(turn, object, decision);
    const repeated = acted.acted > 0 || acted.end === 'refused' ? this.#repetition.done(key, view, decision) : false;
    return this.#conclude(turn, decision, acted, repeated);
  }

  #act({ key, permit, signal, log }: Turn, object: T, decision: Decision): Promise<Acted> {
    const { metrics } = this.#options;
    this.#inHand.acts(key);
    return act(decision, this.#hands, {
      key,
      journal: new Journal(this.#controller.primary.type, refTo(object), permit),
      outcomes: this.#outcomes,
      mayAct: permit,
      signal,
      onActed: (action) => {
        metrics.acted(this.#controller.name, action.do);
        log.info({ action: describeAction(action), because: decision.because }, 'acted');
      },
    });
  }

  #conclude(turn: Turn, decision: Decision, acted: Acted, repeated: boolean): ReconcileResult {
    const { metrics } = this.#options;
    const { key, log } = turn;
    if (repeated) {
      metrics.repeated(this.#controller.name);
      log.warn({ because: decision.because }, 'the same decision again on an unchanged view: backing off');
    }
    switch (acted.end) {
      case 'done':
        return this.#settle(turn, decision, acted.news);
      case 'refused':
        log.warn({ why: acted.message, waitMs: this.#queue.retry(key) }, 'refused');
        return repeated ? 'repeated' : 'again';
      case 'conflict': {
        // What came to be known meanwhile may be what the view lacked.
        const silent = acted.acted === 0;
        log.debug({ why: acted.message, waitMs: this.#queue.retry(key, { silent }) }, 'the view was out of date');
        return 'conflict';
      }
      case 'unavailable': {
        const atLeastMs = acted.retryAfterMs ?? 0;
        log.warn({ why: acted.message, waitMs: this.#queue.retry(key, { atLeastMs }) }, 'trying again later');
        return 'retry';
      }
      case 'stopped':
        if (this.#isOver(key, turn.permit)) return 'stopped';
        log.warn({ why: acted.message, waitMs: this.#queue.retry(key) }, 'trying again later');
        return 'retry';
    }
  }

  #settle({ key, log, now, began }: Turn, { wakeAt }: Decision, news: boolean): ReconcileResult {
    const passed = this.#options.clock.monotonic() - began;
    const wait = wakeAt === undefined ? undefined : wakeAt - now - passed;
    if (wait !== undefined && wait <= 0) {
      log.warn({ wakeAt, waitMs: this.#queue.retry(key) }, 'the decision asks to be woken in the past: backing off');
      return 'retry';
    }
    this.#queue.forget(key);
    if (news) this.#queue.add(key);
    else if (wait !== undefined) this.#queue.add(key, { after: wait });
    return news ? 'again' : 'settled';
  }

  /** Another is in charge, the user wants it so, or we may not look: say that on the object, now and then, and do nothing else. */
  async #standAside(turn: Turn, object: T, held: Custody): Promise<ReconcileResult> {
    const { decision } = held;
    if (this.#options.observeOnly) return this.#print(turn, decision);
    const { clock } = this.#options;
    const { key } = turn;
    const last = this.#asideAt.get(key);
    const saidRecently = last?.why === decision.because && clock.monotonic() - last.at < asideAgainMs;
    if (decision.actions.length === 0 || saidRecently) return this.#settle(turn, decision, false);
    const acted = await this.#act(turn, object, decision);
    if (acted.acted > 0) this.#asideAt.set(key, { why: decision.because, at: clock.monotonic() });
    return this.#conclude(turn, decision, acted, false);
  }

  #print(turn: Turn, decision: Decision): ReconcileResult {
    const { key, log } = turn;
    const left = decision.actions.filter((action) => !alreadyTrue(action, this.#hands));
    // As `act`: an event that tells of a deed is not said without it.
    const idle = decision.actions.length > left.length && left.every((action) => action.do === 'event');
    const actions = idle ? [] : left.map(describeAction);
    const text = JSON.stringify([actions, decision.because]);
    if (this.#printed.get(key) !== text) {
      this.#printed.set(key, text);
      log.info({ actions, because: decision.because }, actions.length > 0 ? 'would act' : 'would do nothing');
    }
    return this.#settle(turn, decision, false);
  }

  /** This process is not to act on the key any more, or not by this permit. */
  #isOver(key: string, permit: Permit): boolean {
    return this.#isStopping || !permit() || !this.#options.permit(key);
  }

  #noTime(key: string, permit: Permit, error: unknown, log: Log): ReconcileResult {
    if (this.#isOver(key, permit)) return 'stopped';
    log.warn({ error, waitMs: this.#queue.retry(key) }, 'there was no time left: trying again later');
    return 'retry';
  }

  /** What was thrown by reading is waited out; what was thrown by anything else is a bug. */
  #trouble(key: string, error: unknown, log: Log): ReconcileResult {
    if (this.#isStopping) return 'stopped';
    const atLeastMs = isKubeError(error) ? (error.retryAfterMs ?? 0) : 0;
    const waitMs = this.#queue.retry(key, { atLeastMs });
    if (isKubeError(error)) {
      log.warn({ error, waitMs }, 'the cluster could not be read: trying again later');
      return 'retry';
    }
    log.error({ error, waitMs }, 'a bug: this object is left alone until the next try');
    return 'bug';
  }

  #forget(key: string): ReconcileResult {
    this.#queue.forget(key);
    this.#uids.delete(key);
    this.#outcomes.forget(key);
    this.#repetition.forget(key);
    this.#printed.delete(key);
    this.#asideAt.delete(key);
    for (const source of this.#controller.outside ?? []) source.forget?.(key);
    return 'settled';
  }
}

function workersOf({ workers = 4 }: { readonly workers?: number | undefined }): number {
  return workers;
}
