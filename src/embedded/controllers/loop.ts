import type { Clock } from '../../clock/clock.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { StatusError } from '../status-error.ts';
import type { Change, World } from '../world.ts';

/** Which object to look at: its namespace (empty for cluster-wide kinds) and name. */
export interface Key {
  readonly namespace: string;
  readonly name: string;
}

/** A kind that a controller watches, and whom each change concerns. */
export interface Source {
  readonly type: ResourceType;
  keys(change: Change): Iterable<Key>;
}

/** A level-triggered controller: woken for a key, it looks at the world as it is and takes it one step further. */
export interface Controller {
  readonly name: string;
  readonly sources: readonly Source[];
  /** Resolves to the milliseconds after which the key is to be looked at again even if nothing changes. */
  reconcile(key: Key): Promise<number | undefined>;
}

export const keyOf = (object: KubeObject): Key => ({
  namespace: object.metadata.namespace ?? '',
  name: object.metadata.name ?? '',
});

/** Hears of failures that are a controller's own fault. Without it they are thrown. */
export type Trouble = (what: string, error: unknown) => void;

/** The changed object itself. */
export const itself = (type: ResourceType): Source => ({
  type,
  keys: ({ before, after }) => [after ?? before].filter((one) => one !== undefined).map(keyOf),
});

/** The controller of the changed object, before and after, if it is of the given kind. */
export const controllerOf = (type: ResourceType, kind: string): Source => ({
  type,
  *keys({ before, after }) {
    for (const object of [before, after]) {
      const owner = object?.metadata.ownerReferences?.find((one) => one.controller === true && one.kind === kind);
      if (object && owner) yield { namespace: object.metadata.namespace ?? '', name: owner.name };
    }
  },
});

const [firstRetry, lastRetry] = [10, 60_000];

/** After so many steps in a row everybody else gets a turn: two controllers that undo each other must not stop the world. */
export const breathEvery = 50;

/** Resolves when everything that is due now has had its turn. */
export function breath(clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    clock.after(1, resolve);
  });
}

/**
 * Runs a controller: one key at a time, each key at most once in the queue, in the order in which they came. What
 * exists at the start is looked at first. After a refused write the key is looked at again, each time later; after a
 * conflict without delay, because the world has merely moved on.
 *
 * At rest it holds no timer but those that `reconcile` asked for. Returns the way to stop it.
 */
export function runController(world: World, controller: Controller, trouble?: Trouble): () => void {
  const waiting = new Map<string, Key>();
  const timers = new Map<string, () => void>();
  const failures = new Map<string, number>();
  let running = false;
  let stopped = false;

  const idOf = (key: Key): string => `${key.namespace}/${key.name}`;

  function add(key: Key): void {
    if (stopped) return;
    waiting.set(idOf(key), key);
    if (running) return;
    running = true;
    queueMicrotask(work);
  }

  function addLater(key: Key, ms: number): void {
    const id = idOf(key);
    timers.get(id)?.();
    timers.set(
      id,
      world.clock.after(ms, () => {
        timers.delete(id);
        add(key);
      }),
    );
  }

  async function work(): Promise<void> {
    let done = 0;
    for (const [id, key] of waiting) {
      if (++done % breathEvery === 0) await breath(world.clock);
      if (stopped) break;
      waiting.delete(id);
      timers.get(id)?.();
      timers.delete(id);
      await attempt(id, key);
    }
    running = false;
    if (waiting.size > 0 && !stopped) {
      running = true;
      queueMicrotask(work);
    }
  }

  async function attempt(id: string, key: Key): Promise<void> {
    try {
      const again = await controller.reconcile(key);
      failures.delete(id);
      if (again !== undefined && !stopped && !waiting.has(id)) addLater(key, Math.max(1, again));
    } catch (error) {
      if (!(error instanceof StatusError)) {
        if (!trouble) throw error;
        trouble(`controller ${controller.name} at ${id}`, error);
      }
      const moved = error instanceof StatusError && error.status.reason === 'Conflict';
      const count = moved ? 1 : (failures.get(id) ?? 0) + 1;
      if (!moved) failures.set(id, count);
      if (!stopped) addLater(key, Math.min(lastRetry, firstRetry * 2 ** (count - 1)));
    }
  }

  const stops = controller.sources.map((source) =>
    world.watch(source.type, (change) => {
      for (const key of source.keys(change)) add(key);
    }),
  );
  for (const source of controller.sources) {
    for (const after of world.list(source.type)) {
      for (const key of source.keys({ before: undefined, after })) add(key);
    }
  }

  return () => {
    stopped = true;
    for (const stop of stops) stop();
    for (const cancel of timers.values()) cancel();
    timers.clear();
  };
}
