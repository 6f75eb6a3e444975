import { expect, it } from 'vitest';
import type { Entry } from './entry.ts';
import { ObjectCache } from './object-cache.ts';

/** As text, each is 100 characters long. */
const entry = (name: string): Entry => {
  const json = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
  return { bucket: 'configmaps', namespace: '', name, uid: name, revision: 1, owners: [], json: json.padEnd(100) };
};

it('gives everyone the same object, frozen to the last leaf', () => {
  const cache = new ObjectCache(() => true);
  const one = entry('one');
  const object = cache.get(one);
  expect(object).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' } });
  expect(Object.isFrozen(object.metadata)).toBe(true);
  expect(cache.get(one)).toBe(object);
});

it('keeps what is read again, and forgets what is not, within its budget', () => {
  const cache = new ObjectCache(() => true, 800);
  const [often, once] = [entry('often'), entry('once')];
  const [kept, lost] = [cache.get(often), cache.get(once)];
  for (let index = 0; index < 20; index++) {
    cache.get(entry(`other-${index}`));
    expect(cache.get(often)).toBe(kept);
  }
  expect(cache.get(once)).not.toBe(lost);
});

it('gives what is larger than its budget all the same', () => {
  const cache = new ObjectCache(() => true, 50);
  expect(cache.get(entry('large')).metadata).toEqual({ name: 'large' });
});

it('forgets what was replaced', () => {
  const cache = new ObjectCache(() => true, 300);
  const one = entry('one');
  const before = cache.get(one);
  cache.forget(one);
  expect(cache.get(one)).not.toBe(before);
});

it('keeps nothing of what is past: histories are long', () => {
  const present = new Set<Entry>();
  const cache = new ObjectCache((one) => present.has(one));
  const one = entry('one');
  expect(cache.get(one)).not.toBe(cache.get(one));
  present.add(one);
  expect(cache.get(one)).toBe(cache.get(one));
});
