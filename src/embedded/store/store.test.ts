import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../clock/virtual.ts';
import type { Draft } from '../resource.ts';
import type { Entry } from './entry.ts';
import type { StoreEvent } from './history.ts';
import { DataError, type Journal } from './journal.ts';
import { StaleWrite, Store } from './store.ts';

const key = (name: string, namespace = 'default') => ({ bucket: 'configmaps', namespace, name });

const draft = (name: string, data = ''): Draft => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, uid: `uid-${name}` },
  data,
});

const names = (entries: readonly Entry[] | undefined): string[] | undefined => entries?.map(({ name }) => name);

describe('the store', () => {
  it('gives every write of any bucket the next revision and stamps it into the object', () => {
    const store = new Store({ clock: new VirtualClock() });
    const a = store.put(key('a'), undefined, draft('a'));
    const b = store.put({ ...key('b'), bucket: 'pods' }, undefined, draft('b'));
    expect([a.revision, b.revision, store.revision]).toEqual([1, 2, 2]);
    expect(store.object(b).metadata.resourceVersion).toBe('2');
    expect(JSON.parse(b.json).metadata.resourceVersion).toBe('2');
  });

  it('refuses a write that was not made from the stored version', () => {
    const store = new Store({ clock: new VirtualClock() });
    const first = store.put(key('a'), undefined, draft('a'));
    expect(() => store.put(key('a'), undefined, draft('a'))).toThrow(StaleWrite);
    store.put(key('a'), first, draft('a', 'new'));
    expect(() => store.put(key('a'), first, draft('a'))).toThrow(StaleWrite);
    expect(() => store.remove(first, draft('a'))).toThrow(StaleWrite);
    expect(store.revision).toBe(2);
  });

  it('lists in the order of paths, where a longer namespace may come before its prefix', () => {
    const store = new Store({ clock: new VirtualClock() });
    for (const [namespace, name] of [
      ['a', 'x'],
      ['a-b', 'y'],
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      store.put(key(name, namespace), undefined, draft(name));
    }
    expect(store.list('configmaps').map((entry) => `${entry.namespace}/${entry.name}`)).toEqual([
      'a-b/y',
      'a/b',
      'a/x',
      'b/a',
    ]);
    expect(names(store.list('configmaps', 'a'))).toEqual(['b', 'x']);
  });

  it('hands out objects frozen to the last leaf', () => {
    const store = new Store({ clock: new VirtualClock() });
    const object = store.object(store.put(key('a'), undefined, draft('a')));
    expect(() => Object.assign(object.metadata, { name: 'b' })).toThrow(TypeError);
  });

  it('finds what an owner owns, and forgets it when the owner is removed from the object', () => {
    const store = new Store({ clock: new VirtualClock() });
    const owned = draft('a');
    owned.metadata.ownerReferences = [{ uid: 'boss' }];
    const entry = store.put(key('a'), undefined, owned);
    expect(names(store.owned('boss'))).toEqual(['a']);
    store.put(key('a'), entry, draft('a'));
    expect(store.owned('boss')).toEqual([]);
  });

  it('tells a deletion with the last state at the revision of the deletion', () => {
    const store = new Store({ clock: new VirtualClock() });
    const seen: StoreEvent[] = [];
    store.listen('configmaps', (event) => void seen.push(event));
    const entry = store.put(key('a'), undefined, draft('a'));
    store.remove(entry, draft('a'));
    expect(seen.map(({ revision, deleted }) => [revision, deleted])).toEqual([
      [1, false],
      [2, true],
    ]);
    expect(JSON.parse(seen[1]?.now.json ?? '').metadata.resourceVersion).toBe('2');
    expect(store.get(key('a'))).toBeUndefined();
  });

  it('tells everyone of the first write before anyone of a second that a listener made', () => {
    const store = new Store({ clock: new VirtualClock() });
    const heard: string[] = [];
    store.listen('configmaps', ({ revision }) => {
      if (revision === 1) store.put(key('b'), undefined, draft('b'));
      heard.push(`first ${revision}`);
    });
    store.listen('configmaps', ({ revision }) => void heard.push(`second ${revision}`));
    store.put(key('a'), undefined, draft('a'));
    expect(heard).toEqual(['first 1', 'second 1', 'first 2', 'second 2']);
  });

  it('tells the others when one listener fails, and reports it', () => {
    const troubles: string[] = [];
    const store = new Store({ clock: new VirtualClock(), trouble: (what) => void troubles.push(what) });
    const heard: number[] = [];
    store.listen('configmaps', () => {
      throw new Error('cannot listen');
    });
    store.listen('configmaps', ({ revision }) => void heard.push(revision));
    store.put(key('a'), undefined, draft('a'));
    store.put(key('b'), undefined, draft('b'));
    expect(heard).toEqual([1, 2]);
    expect(troubles).toEqual(['a listener of configmaps', 'a listener of configmaps']);
  });

  it('has not written what the journal could not, and goes on when it can again', () => {
    let full = false;
    const journal: Journal = {
      load: () => ({ revision: 0, records: [] }),
      append() {
        if (full) throw new DataError('the disk is full');
      },
      close() {},
    };
    const store = new Store({ clock: new VirtualClock(), journal });
    const heard: number[] = [];
    store.listen('configmaps', ({ revision }) => void heard.push(revision));
    const entry = store.put(key('a'), undefined, draft('a'));
    full = true;
    expect(() => store.put(key('a'), entry, draft('a', 'new'))).toThrow(DataError);
    expect(() => store.put(key('b'), undefined, draft('b'))).toThrow(DataError);
    expect(() => store.remove(entry, draft('a'))).toThrow(DataError);
    expect(store.list('configmaps')).toEqual([entry]);
    expect(store.revision).toBe(1);
    full = false;
    expect(store.put(key('a'), entry, draft('a', 'new')).revision).toBe(2);
    expect(heard).toEqual([1, 2]);
  });

  it('forgets events by age, but only when new ones come', async () => {
    const clock = new VirtualClock();
    const store = new Store({ clock });
    store.put(key('a'), undefined, draft('a'));
    await clock.advance(6 * 60_000);
    expect(store.since(0, 'configmaps')).toHaveLength(1);
    store.put(key('b'), undefined, draft('b'));
    expect(store.compacted).toBe(1);
    expect(store.since(0, 'configmaps')).toBeUndefined();
    expect(store.since(1, 'configmaps')).toHaveLength(1);
  });

  it('forgets events when the versions they hold grow too large', () => {
    const store = new Store({ clock: new VirtualClock(), retention: { ageMs: 1e9, characters: 1000 } });
    let entry = store.put(key('a'), undefined, draft('a'));
    for (let i = 0; i < 100; i++) entry = store.put(key('a'), entry, draft('a', 'x'.repeat(100)));
    expect(store.compacted).toBeGreaterThan(90);
    expect(store.compacted).toBeLessThan(100);
    expect(store.listAt(store.compacted - 1, 'configmaps')).toBeUndefined();
    expect(names(store.listAt(store.compacted, 'configmaps'))).toEqual(['a']);
  });

  it('answers any remembered revision as it was then', () => {
    const step = fc.record({
      namespace: fc.constantFrom('a', 'b', 'a-b'),
      name: fc.constantFrom('x', 'y', 'z', 'x-1'),
      remove: fc.boolean(),
      data: fc.string(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const store = new Store({ clock: new VirtualClock() });
        const past: { revision: number; all: string[]; a: string[] }[] = [];
        const json = (entries: readonly Entry[] | undefined): string[] => (entries ?? []).map((entry) => entry.json);
        for (const { namespace, name, remove, data } of steps) {
          const entry = store.get(key(name, namespace));
          if (!remove) store.put(key(name, namespace), entry, draft(name, data));
          else if (entry) store.remove(entry, draft(name));
          past.push({
            revision: store.revision,
            all: json(store.list('configmaps')),
            a: json(store.list('configmaps', 'a')),
          });
        }
        for (const { revision, all, a } of past) {
          expect(json(store.listAt(revision, 'configmaps'))).toEqual(all);
          expect(json(store.listAt(revision, 'configmaps', 'a'))).toEqual(a);
        }
      }),
      { numRuns: 50 },
    );
  });
});
