import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deepFreeze } from './deep-freeze.ts';
import { share } from './share.ts';

it('keeps what did not change', () => {
  const before = deepFreeze({
    metadata: { name: 'a', resourceVersion: '1', labels: { x: 'y' } },
    spec: { list: [{ a: 1 }, { b: 2 }] },
  });
  const after = deepFreeze({
    metadata: { name: 'a', resourceVersion: '2', labels: { x: 'y' } },
    spec: { list: [{ a: 1 }, { b: 3 }] },
  });
  const shared = share(before, after);
  expect(shared).toEqual(after);
  expect(shared.metadata.labels).toBe(before.metadata.labels);
  expect(shared.spec.list[0]).toBe(before.spec.list[0]);
  expect(shared.spec).not.toBe(before.spec);
});

it('is the value before when nothing changed', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      // An object with such a key is not worth the care it would take: it is replaced, not shared.
      fc.pre(!text.includes('__proto__'));
      const value = JSON.parse(text);
      expect(share(value, JSON.parse(text))).toBe(value);
    }),
  );
});

it('always equals the value after', () => {
  const key = fc.constantFrom('a', 'b', '__proto__', 'constructor');
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, 0, -0, 1, '', 'x', true),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc
        .array(fc.tuple(key, tie('tree')), { maxLength: 3 })
        .map((entries) =>
          JSON.parse(`{${entries.map(([name, value]) => `"${name}":${JSON.stringify(value)}`).join(',')}}`),
        ),
    ),
  }));
  fc.assert(
    fc.property(tree, tree, (before, after) => {
      const [wasBefore, wasAfter] = [JSON.stringify(before), JSON.stringify(after)];
      expect(JSON.stringify(share(before, after))).toBe(wasAfter);
      expect([JSON.stringify(before), JSON.stringify(after)]).toEqual([wasBefore, wasAfter]);
    }),
    { numRuns: 1000 },
  );
});

it('does not drown in a value that is nested too deeply', () => {
  const nested = (): unknown => JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`);
  const after = nested();
  expect(JSON.stringify(share(nested(), after))).toBe(JSON.stringify(after));
});
