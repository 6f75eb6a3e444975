import fc from 'fast-check';
import { expect, describe as group, it } from 'vitest';
import type { Field } from '../schema/field.ts';
import { strongest } from './change.ts';
import { describe } from './describe.ts';
import { spec } from './diff.fixture.ts';
import { diff } from './diff.ts';

group('diff, for any two values', () => {
  const key = fc.oneof(
    fc.constantFrom(
      ...Object.keys(spec.properties ?? {}),
      '__proto__',
      'constructor',
      'toString',
      'toJSON',
      'hasOwnProperty',
      'a.b',
      'name',
      'spec',
      'job.autoscaler',
    ),
    fc.string(),
  );
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 5, depthSize: 'small' },
      fc.constantFrom(null, true, false, 0, 1, -0, 'a', '1', ''),
      fc.string(),
      fc.double({ noNaN: true }),
      fc.array(tie('json'), { maxLength: 4 }),
      fc.array(fc.tuple(key, tie('json')), { maxLength: 5 }).map(fromPairs),
    ),
  }));

  /** As `JSON.parse` would make it: `__proto__` is an ordinary key. */
  function fromPairs(pairs: readonly (readonly [string, unknown])[]): unknown {
    return Object.fromEntries(pairs);
  }
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== 'object' || value === null) return value;
    return fromPairs(
      Object.entries(value)
        .reverse()
        .map(([name, inner]) => [name, reversed(inner)]),
    );
  };
  /** The schema of rules that treat both sides alike. */
  const symmetric: Field = {
    ...spec,
    properties: Object.fromEntries(
      Object.entries(spec.properties ?? {}).filter(([name]) => !['restartNonce', 'firstOnly', 'job'].includes(name)),
    ),
  };

  it('finds no change between a value and itself, nor its copy', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(diff(spec, value, structuredClone(value))).toEqual([]);
      }),
    );
  });

  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        expect(diff(spec, reversed(before), reversed(after))).toEqual(diff(spec, before, after));
      }),
    );
  });

  it('finds the same places in both directions', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const [there, back] = [diff(symmetric, before, after), diff(symmetric, after, before)];
        expect(back.map(({ path, from, to, demands }) => ({ path, from: to, to: from, demands }))).toEqual(there);
      }),
    );
  });

  it('names every place once, and can be described and written as JSON', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const changes = diff(spec, before, after);
        expect(new Set(changes.map(({ path }) => path)).size).toBe(changes.length);
        expect(describe(changes).split('\n').filter(Boolean)).toHaveLength(changes.length);
        JSON.stringify(changes);
      }),
    );
  });

  it('misses nothing: without rules, no changes means equal', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const same = JSON.stringify(canonical(before)) === JSON.stringify(canonical(after));
        expect(diff({}, before, after).length === 0).toBe(same);
      }),
    );
  });

  /** Sorted keys, no nulls in objects: written independently of the code under test. */
  function canonical(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(canonical);
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).filter(([, inner]) => inner !== null);
    return { members: members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, inner]) => [name, canonical(inner)]) };
  }

  it('has the strongest demand of its changes', () => {
    expect(
      strongest(
        diff(spec, { image: 'a', job: {} }, { image: 'b', job: { savepointRedeployNonce: 1, upgradeMode: 'x' } }),
      ),
    ).toBe('redeploy-from-savepoint');
    expect(strongest([])).toBe('nothing');
  });

  it('survives nesting that no stack would', () => {
    const deep = (leaf: string, open: string, close: string): unknown =>
      JSON.parse(`${open.repeat(20_000)}${leaf}${close.repeat(20_000)}`);
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
      ['[{"configuration":', '}]'],
    ] as const) {
      const [one, two] = [deep('1', open, close), deep('2', open, close)];
      expect(diff(spec, one, one)).toEqual([]);
      const changes = diff(
        spec,
        { configuration: one, image: one, token: one },
        { configuration: two, image: two, token: two },
      );
      expect(changes).toHaveLength(3);
      expect(describe(changes).length).toBeLessThan(2000);
    }
  });

  it('shows nothing of secrets that lie deeper than it looks', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(20_000)}{"password":"hunter2"}${'}'.repeat(20_000)}`);
    const [change] = diff(spec, { configuration: 'text' }, { configuration: deep });
    let value: unknown = change?.to;
    while (typeof value === 'object' && value !== null) value = Object.values(value)[0];
    expect(value).toBe('(secret)');
  });

  it('quotes keys that could be mistaken for another path or forge a line', () => {
    const odd = { 'a].b': 1, 'x\ny': 1, 'k=v': 1, '': 1, 'ok-key': 1, 'a/b.c': 1 };
    expect(diff({}, {}, odd).map(({ path }) => path)).toEqual([
      'spec[""]',
      'spec[a/b.c]',
      'spec["a].b"]',
      'spec["k=v"]',
      'spec.ok-key',
      'spec["x\\ny"]',
    ]);
  });

  it('pollutes no prototype', () => {
    const hostile = JSON.parse(
      '{"__proto__": {"polluted": 1}, "configuration": {"__proto__": {"polluted": 1}}, "constructor": {"prototype": {"polluted": 1}}}',
    );
    expect(diff(spec, {}, hostile).map(({ path }) => path)).toEqual([
      'spec.configuration[__proto__.polluted]',
      'spec.__proto__',
      'spec.constructor',
    ]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});
