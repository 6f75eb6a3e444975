import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../object.ts';
import { keyOf } from './key.ts';
import { type Change, Store } from './store.ts';

const object = (name: string, version: number | string, more: { uid?: string; color?: string } = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: {
    name,
    uid: more.uid ?? `uid-${name}`,
    resourceVersion: String(version),
    labels: { color: more.color ?? 'red' },
  },
});

const colors = { color: (thing: AnyObject) => [thing.metadata.labels?.color ?? ''] };

function filled(...objects: AnyObject[]): Store<AnyObject, 'color'> {
  const store = new Store<AnyObject, 'color'>({ indexes: colors, freeze: true });
  store.apply({ type: 'init' });
  for (const one of objects) store.apply({ type: 'init-apply', object: one });
  store.apply({ type: 'synced', resourceVersion: '100' });
  return store;
}

const versions = (store: Store<AnyObject, 'color'>): Record<string, string | undefined> =>
  Object.fromEntries([...store.all()].map((one) => [keyOf(one), one.metadata.resourceVersion]));

describe('a store', () => {
  it('holds what the reflector told, findable by key and index', async () => {
    const store = filled(object('a', 1), object('b', 2, { color: 'blue' }));
    await store.whenSynced();
    store.apply({ type: 'apply', object: object('a', 101, { color: 'blue' }) });
    store.apply({ type: 'delete', object: object('b', 102) });
    expect(versions(store)).toEqual({ a: '101' });
    expect(store.by('color', 'blue').map(keyOf)).toEqual(['a']);
    expect(store.by('color', 'red')).toEqual([]);
  });

  it('swaps a later snapshot in one step and keeps what did not change', () => {
    const store = filled(object('a', 1), object('b', 2), object('c', 3));
    const a = store.get('a');
    store.apply({ type: 'init' });
    store.apply({ type: 'init-apply', object: object('a', 1) });
    store.apply({ type: 'init-apply', object: object('c', 203) });
    expect(versions(store)).toEqual({ a: '1', b: '2', c: '3' });
    store.apply({ type: 'synced', resourceVersion: '300' });
    expect(versions(store)).toEqual({ a: '1', c: '203' });
    expect(store.get('a')).toBe(a);
  });

  it('forgets an unfinished snapshot', () => {
    const store = filled(object('a', 1));
    store.apply({ type: 'init' });
    store.apply({ type: 'init-apply', object: object('x', 9) });
    store.apply({ type: 'init' });
    store.apply({ type: 'init-apply', object: object('b', 2) });
    store.apply({ type: 'synced', resourceVersion: '300' });
    expect(versions(store)).toEqual({ b: '2' });
  });

  it('forgets also a first snapshot that was never finished', () => {
    const store = new Store<AnyObject>();
    store.apply({ type: 'init' });
    store.apply({ type: 'init-apply', object: object('x', 9) });
    expect(store.synced).toBe(false);
    store.apply({ type: 'init' });
    store.apply({ type: 'init-apply', object: object('b', 2) });
    store.apply({ type: 'synced', resourceVersion: '300' });
    expect([...store.all()].map(keyOf)).toEqual(['b']);
  });

  it('takes out of a snapshot what is deleted while it is read', () => {
    const store = filled();
    store.apply({ type: 'init' });
    store.apply({ type: 'init-apply', object: object('a', 1) });
    store.apply({ type: 'delete', object: object('a', 2) });
    store.apply({ type: 'synced', resourceVersion: '300' });
    expect(store.size).toBe(0);
  });

  it('freezes objects through and through when asked to', () => {
    const labels = filled(object('a', 1)).get('a')?.metadata.labels as Record<string, string>;
    expect(() => {
      labels.color = 'green';
    }).toThrow(TypeError);
  });

  it('tells late comers what is there, and others what changes', () => {
    const store = filled(object('a', 1));
    const heard: Change<AnyObject>[] = [];
    const stop = store.changes((change) => heard.push(change));
    store.apply({ type: 'apply', object: object('a', 101) });
    store.apply({ type: 'apply', object: object('a', 101) });
    store.apply({ type: 'delete', object: object('a', 102) });
    stop();
    store.apply({ type: 'apply', object: object('b', 103) });
    expect(heard).toMatchObject([
      { key: 'a', after: { metadata: { resourceVersion: '1' } }, initial: true },
      { key: 'a', before: object('a', 1), after: object('a', 101), initial: false },
      { key: 'a', before: object('a', 101), initial: false },
    ]);
    expect(heard[0]).not.toHaveProperty('before');
    expect(heard[2]).not.toHaveProperty('after');
  });

  it('lets every handler hear even when one throws', () => {
    const store = filled();
    const heard: string[] = [];
    store.changes(() => {
      throw new Error('mine');
    });
    store.changes((change) => heard.push(change.key));
    expect(() => store.apply({ type: 'apply', object: object('a', 101) })).toThrow('mine');
    expect(heard).toEqual(['a']);
    expect(store.get('a')).toBeDefined();
  });
});

describe('a write of ours', () => {
  it('is shown until the watch reaches its version', () => {
    const store = filled(object('a', 1));
    store.expect(object('a', 105, { color: 'blue' }));
    expect(store.by('color', 'blue').map(keyOf)).toEqual(['a']);
    store.apply({ type: 'apply', object: object('a', 104, { color: 'green' }) });
    expect(versions(store)).toEqual({ a: '105' });
    store.apply({ type: 'apply', object: object('a', 106, { color: 'green' }) });
    expect(versions(store)).toEqual({ a: '106' });
  });

  it('is let go by any later event, since the watch has then told all there was', () => {
    const store = filled(object('a', 1));
    store.expect(object('outside-the-selector', 105));
    store.apply({ type: 'apply', object: object('a', 106) });
    expect(versions(store)).toEqual({ a: '106' });
    store.expect(object('outside-the-selector', 107));
    store.apply({ type: 'bookmark', resourceVersion: '107' });
    expect(versions(store)).toEqual({ a: '106' });
  });

  it('is not shown when the watch was faster than the answer', () => {
    const store = filled();
    store.apply({ type: 'apply', object: object('a', 105) });
    store.apply({ type: 'delete', object: object('a', 106) });
    store.expect(object('a', 105));
    expect(store.size).toBe(0);
  });

  it('compares versions as numbers, not as text', () => {
    const store = filled(object('a', 1));
    store.expect(object('a', 1000));
    store.apply({ type: 'apply', object: object('a', 999) });
    expect(versions(store)).toEqual({ a: '1000' });
  });

  it('is settled by equality alone where versions are no numbers', () => {
    const store = filled(object('a', 'x'));
    store.expect(object('a', 'y'));
    store.apply({ type: 'apply', object: object('a', 'w') });
    expect(versions(store)).toEqual({ a: 'y' });
    store.apply({ type: 'apply', object: object('a', 'y') });
    store.apply({ type: 'apply', object: object('a', 'z') });
    expect(versions(store)).toEqual({ a: 'z' });
  });

  it('survives snapshots from before it, whenever they were asked for, and not one from after', () => {
    const store = filled(object('a', 1));
    store.apply({ type: 'init' });
    store.expect(object('a', 205));
    store.apply({ type: 'init-apply', object: object('a', 150) });
    store.apply({ type: 'synced', resourceVersion: '200' });
    expect(versions(store)).toEqual({ a: '205' });
    store.apply({ type: 'init' });
    store.apply({ type: 'init-apply', object: object('a', 150) });
    store.apply({ type: 'synced', resourceVersion: '204' });
    expect(versions(store)).toEqual({ a: '205' });
    store.apply({ type: 'init' });
    store.apply({ type: 'synced', resourceVersion: '206' });
    expect(versions(store)).toEqual({});
  });

  it('is shown over a snapshot from before it until the watch that follows has come as far', () => {
    const store = filled(object('a', 1));
    store.expect(object('a', 105));
    store.expect(object('outside-the-selector', 104));
    store.apply({ type: 'init' });
    store.apply({ type: 'init-apply', object: object('a', 1) });
    store.apply({ type: 'synced', resourceVersion: '102' });
    expect(versions(store)).toEqual({ a: '105', 'outside-the-selector': '104' });
    store.apply({ type: 'apply', object: object('a', 105) });
    store.apply({ type: 'apply', object: object('a', 106) });
    expect(versions(store)).toEqual({ a: '106' });
  });

  it('is settled by a snapshot that was asked for later where versions are no numbers', () => {
    const store = filled(object('a', 'x'));
    store.apply({ type: 'init' });
    store.expect(object('a', 'y'));
    store.apply({ type: 'init-apply', object: object('a', 'x') });
    store.apply({ type: 'synced', resourceVersion: 'z' });
    expect(versions(store)).toEqual({ a: 'y' });
    store.apply({ type: 'init' });
    store.apply({ type: 'init-apply', object: object('a', 'w') });
    store.apply({ type: 'synced', resourceVersion: 'q' });
    expect(versions(store)).toEqual({ a: 'w' });
  });

  it('is lost with a server that has been set back, and so is a deletion', () => {
    const store = filled(object('a', 1), object('b', 2));
    store.expect(object('a', 105));
    store.expect(object('b', 106));
    store.expectDeleted(object('b', 106));
    store.apply({ type: 'init' });
    store.expect(object('c', 107));
    for (const one of [object('a', 1), object('b', 2)]) store.apply({ type: 'init-apply', object: one });
    store.apply({ type: 'synced', resourceVersion: '90', setBack: true });
    expect(versions(store)).toEqual({ a: '1', b: '2' });
  });

  it('is not overlaid by an older answer that comes late', () => {
    const store = filled();
    store.expect(object('a', 106));
    store.expect(object('a', 105));
    expect(versions(store)).toEqual({ a: '106' });
  });
});

describe('a deletion of ours', () => {
  it('hides the object until the watch shows it gone', () => {
    const store = filled(object('a', 1));
    store.expectDeleted(object('a', 1));
    expect(store.get('a')).toBeUndefined();
    expect(store.by('color', 'red')).toEqual([]);
    store.apply({ type: 'apply', object: object('a', 103) });
    expect(store.get('a')).toBeUndefined();
    store.apply({ type: 'delete', object: object('a', 104) });
    store.apply({ type: 'apply', object: object('a', 105, { uid: 'next' }) });
    expect(versions(store)).toEqual({ a: '105' });
  });

  it('does not hide a successor of the same name', () => {
    const store = filled(object('a', 1));
    store.expectDeleted(object('a', 1));
    store.expect(object('a', 105, { uid: 'next' }));
    expect(versions(store)).toEqual({ a: '105' });
    store.apply({ type: 'delete', object: object('a', 104) });
    expect(versions(store)).toEqual({ a: '105' });
    store.expectDeleted(object('a', 1));
    expect(versions(store)).toEqual({ a: '105' });
  });

  it('survives a snapshot that was taken before it, and not one that no longer holds the object', () => {
    const store = filled(object('a', 1));
    store.apply({ type: 'init' });
    store.expectDeleted(object('a', 1));
    store.apply({ type: 'init-apply', object: object('a', 1) });
    store.apply({ type: 'synced', resourceVersion: '200' });
    expect(store.get('a')).toBeUndefined();
    store.apply({ type: 'delete', object: object('a', 201) });
    store.apply({ type: 'apply', object: object('a', 202, { uid: 'next' }) });
    expect(versions(store)).toEqual({ a: '202' });
  });

  it('hides nothing for ever: a snapshot that was asked for later has the last word, unless it is from before', () => {
    const store = filled(object('a', 1));
    store.expect(object('a', 105));
    store.expectDeleted(object('a', 105));
    const list = (version: string): void => {
      store.apply({ type: 'init' });
      store.apply({ type: 'init-apply', object: object('a', 1) });
      store.apply({ type: 'synced', resourceVersion: version });
    };
    list('102');
    expect(store.get('a')).toBeUndefined();
    list('105');
    expect(versions(store)).toEqual({ a: '1' });
  });

  it('is not settled by the end of a predecessor of the same name', () => {
    const store = filled(object('a', 1, { uid: 'before' }));
    store.expect(object('a', 105));
    store.expectDeleted(object('a', 105));
    store.apply({ type: 'delete', object: object('a', 104, { uid: 'before' }) });
    store.apply({ type: 'apply', object: object('a', 105) });
    expect(store.get('a')).toBeUndefined();
    store.apply({ type: 'delete', object: object('a', 106) });
    expect(store.get('a')).toBeUndefined();
  });

  it('leaves nothing behind when it comes before the first whole snapshot', () => {
    const store = new Store<AnyObject>();
    store.apply({ type: 'init' });
    store.apply({ type: 'init-apply', object: object('a', 1) });
    store.expectDeleted(object('a', 1));
    store.apply({ type: 'init' });
    store.apply({ type: 'synced', resourceVersion: '200' });
    expect(store.size).toBe(0);
  });

  it('outlives a snapshot from before the object was made', () => {
    const store = filled();
    store.apply({ type: 'init' });
    store.expect(object('a', 105));
    store.expectDeleted(object('a', 105));
    store.apply({ type: 'synced', resourceVersion: '104' });
    store.apply({ type: 'apply', object: object('a', 105) });
    expect(store.get('a')).toBeUndefined();
    store.apply({ type: 'delete', object: object('a', 106) });
    expect(store.get('a')).toBeUndefined();
  });

  it('is not undone by a late answer to an earlier write', () => {
    const store = filled(object('a', 1));
    store.expectDeleted(object('a', 1));
    store.expect(object('a', 103));
    expect(store.get('a')).toBeUndefined();
  });
});

/** A server with a history, a watch that lags behind it, and a client that writes. */
class Model {
  readonly store = new Store<AnyObject, 'color'>({ indexes: colors, freeze: true });
  readonly server = new Map<string, AnyObject>();
  readonly log: { type: 'apply' | 'delete'; object: AnyObject }[] = [];
  /** Folded from `changes`. */
  readonly heard = new Map<string, AnyObject>();
  /** The newest version of each key that we were told in an answer. */
  readonly acknowledged = new Map<string, number>();
  told = 0;
  version = 0;
  #snapshot: { objects: AnyObject[]; version: number; next: number } | undefined;

  constructor() {
    this.store.changes(({ key, before, after }) => {
      expect(this.heard.get(key)?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion);
      if (after) this.heard.set(key, after);
      else this.heard.delete(key);
    });
    this.begin();
    this.finish();
  }

  write(name: string, color: string, ours: boolean): void {
    this.version++;
    const uid = this.server.get(name)?.metadata.uid ?? `${name}-${this.version}`;
    const written = object(name, this.version, { uid, color });
    this.server.set(name, written);
    this.log.push({ type: 'apply', object: written });
    if (!ours) return;
    this.acknowledged.set(name, this.version);
    this.store.expect(written);
  }

  remove(name: string, ours: boolean): void {
    const before = this.server.get(name);
    if (!before) return;
    this.version++;
    this.server.delete(name);
    this.log.push({
      type: 'delete',
      object: object(name, this.version, {
        uid: before.metadata.uid ?? '',
        color: before.metadata.labels?.color ?? '',
      }),
    });
    if (!ours || this.store.get(name)?.metadata.uid !== before.metadata.uid) return;
    this.acknowledged.set(name, this.version);
    this.store.expectDeleted(before);
  }

  deliver(): void {
    if (this.#snapshot) {
      const one = this.#snapshot.objects[this.#snapshot.next++];
      if (one) this.store.apply({ type: 'init-apply', object: one });
      else this.finish();
      return;
    }
    const event = this.log[this.told++];
    if (event) this.store.apply(event);
    else this.told--;
  }

  bookmark(): void {
    const last = this.log[this.told - 1];
    if (this.#snapshot || !last) return;
    this.store.apply({ type: 'bookmark', resourceVersion: last.object.metadata.resourceVersion ?? '' });
  }

  begin(): void {
    this.#list(this.log.length);
  }

  /** The server lists what was a while ago, but nothing from before what it has told. */
  lag(): void {
    this.#list(Math.max(this.told, this.log.length - 2));
  }

  #list(events: number): void {
    const objects = new Map<string, AnyObject>();
    for (const { type, object: one } of this.log.slice(0, events)) {
      if (type === 'apply') objects.set(keyOf(one), one);
      else objects.delete(keyOf(one));
    }
    // At which version something was deleted we are not told: a snapshot from before that may show it once more.
    for (const { type, object: one } of this.log.slice(events))
      if (type === 'delete') this.acknowledged.delete(keyOf(one));
    this.store.apply({ type: 'init' });
    this.#snapshot = { objects: [...objects.values()], version: events, next: 0 };
    this.told = events;
  }

  finish(): void {
    const snapshot = this.#snapshot;
    if (!snapshot) return;
    for (; snapshot.next < snapshot.objects.length; snapshot.next++) {
      const one = snapshot.objects[snapshot.next];
      if (one) this.store.apply({ type: 'init-apply', object: one });
    }
    this.store.apply({ type: 'synced', resourceVersion: String(snapshot.version) });
    this.#snapshot = undefined;
  }

  check(): void {
    expect(new Map([...this.store.all()].map((one) => [keyOf(one), one]))).toEqual(this.heard);
    for (const color of ['red', 'blue']) {
      const found = [...this.store.all()].filter((one) => one.metadata.labels?.color === color);
      expect(new Set(this.store.by('color', color))).toEqual(new Set(found));
    }
    for (const [name, version] of this.acknowledged) this.#readsOwnWrite(name, version);
  }

  /** What is shown is the state after our last acknowledged write of this key, or a later one. */
  #readsOwnWrite(name: string, version: number): void {
    const shown = this.store.get(name);
    const later = this.log.filter(
      (event) => keyOf(event.object) === name && Number(event.object.metadata.resourceVersion) >= version,
    );
    const possible = later.map((event) => (event.type === 'apply' ? event.object.metadata.resourceVersion : undefined));
    expect(possible).toContain(shown?.metadata.resourceVersion);
  }
}

it('shows our own writes and ends up with what the server has, whatever the order of events', () => {
  const name = fc.constantFrom('a', 'b', 'c');
  const step = fc.oneof(
    fc.record({ do: fc.constant('write' as const), name, color: fc.constantFrom('red', 'blue'), ours: fc.boolean() }),
    fc.record({ do: fc.constant('remove' as const), name, ours: fc.boolean() }),
    { weight: 3, arbitrary: fc.record({ do: fc.constant('deliver' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constantFrom('bookmark' as const, 'begin' as const, 'lag' as const, 'finish' as const),
      }),
    },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const model = new Model();
      for (const one of steps) {
        if (one.do === 'write') model.write(one.name, one.color, one.ours);
        else if (one.do === 'remove') model.remove(one.name, one.ours);
        else model[one.do]();
        model.check();
      }
      model.finish();
      while (model.told < model.log.length) model.deliver();
      expect(new Map([...model.store.all()].map((one) => [keyOf(one), one]))).toEqual(model.server);
    }),
    { numRuns: 500 },
  );
});
