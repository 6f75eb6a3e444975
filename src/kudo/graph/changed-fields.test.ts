import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedFields, showField } from './changed-fields.ts';

const limits = { fields: 50, compared: 10_000 };
const shown = (before: unknown, after: unknown) => changedFields(before, after, limits).fields.map(showField);

describe('changed fields', () => {
  it('are the innermost ones, items of lists by name where they have one', () => {
    const pod = (image: string, args: readonly string[]) => ({ spec: { containers: [{ name: 'node', image, args }] } });
    expect(shown(pod('a', ['x', 'y']), pod('b', ['x', 'z']))).toEqual([
      'spec.containers[node].image',
      'spec.containers[node].args[1]',
    ]);
  });

  it('quote keys that are file names', () => {
    expect(shown({ data: { 'seeds.txt': 'a' } }, { data: { 'seeds.txt': 'b' } })).toEqual(['data["seeds.txt"]']);
  });

  it('are what was added or removed as a whole', () => {
    expect(shown({ a: 1 }, { a: 1, b: { c: 2 } })).toEqual(['b']);
    expect(shown({ a: [{ name: 'x' }, { name: 'y' }] }, { a: [{ name: 'y' }] })).toEqual(['a[x]']);
  });

  it('see that a list is in another order, named items or not', () => {
    const [x, y] = [{ name: 'x' }, { name: 'y' }];
    expect(shown({ env: [x, y] }, { env: [y, x] })).toEqual(['env']);
    expect(shown({ args: [1, 2] }, { args: [2, 1] })).toEqual(['args[0]', 'args[1]']);
  });

  it('tell a list from an object and nothing from null', () => {
    expect(shown({ a: [] }, { a: {} })).toEqual(['a']);
    expect(shown({ a: null }, {})).toEqual(['a']);
  });

  it('are none between equal values, and some between others', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
        expect(changedFields(before, structuredClone(before), limits)).toEqual({ fields: [], more: false });
        const same = JSON.stringify(sorted(before)) === JSON.stringify(sorted(after));
        expect(changedFields(before, after, limits).fields.length === 0).toBe(same);
      }),
    );
  });

  it('lead to values that differ', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.integer()),
        fc.dictionary(fc.string(), fc.integer()),
        (before, after) => {
          const { fields } = changedFields(before, after, { ...limits, fields: 1000 });
          const names = new Set([...Object.keys(before), ...Object.keys(after)]);
          const differing = [...names].filter((name) => !Object.is(valueAt(before, name), valueAt(after, name)));
          expect(fields.map(([name]) => name).sort()).toEqual(differing.sort());
        },
      ),
    );
  });

  it('of hostile objects are counted and not followed for ever', () => {
    const deep = (end: number) => {
      let value: unknown = end;
      for (let level = 0; level < 50_000; level++) value = { a: value };
      return value;
    };
    expect(changedFields(deep(1), deep(2), { fields: 5, compared: 100_000 }).fields).toHaveLength(1);
    expect(changedFields(deep(1), deep(2), limits)).toEqual({ fields: [], more: true });
    const wide = (value: number) => Array.from({ length: 1000 }, () => value);
    expect(changedFields(wide(1), wide(2), limits)).toMatchObject({ fields: { length: 50 }, more: true });
    expect(showField(['x'.repeat(10_000)]).length).toBeLessThan(100);
  });
});

function valueAt(record: Readonly<Record<string, number>>, name: string): number | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** With keys in order and without the sign of zero, so that texts can be compared. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (Object.is(value, -0)) return { minus: 0 };
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => ({ [`key ${key}`]: sorted(item) }));
}
