import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Conditions,
  dropCondition,
  type Finding,
  keepMoments,
  type Standing,
  setCondition,
  stand,
} from './conditions.ts';

const noon = Date.UTC(2030, 0, 1, 12);
const ready = (status: Finding['status'], message = 'm'): Finding => ({ type: 'Ready', status, reason: 'R', message });

describe('setting a condition', () => {
  it('moves lastTransitionTime only when the status flips', () => {
    const first = setCondition([], ready('False'), 1, noon);
    const second = setCondition(first, ready('False', 'other words'), 2, noon + 60_000);
    const third = setCondition(second, ready('True'), 2, noon + 120_000);
    expect(first[0]?.lastTransitionTime).toBe('2030-01-01T12:00:00Z');
    expect(second).toMatchObject([
      { message: 'other words', observedGeneration: 2, lastTransitionTime: '2030-01-01T12:00:00Z' },
    ]);
    expect(third[0]?.lastTransitionTime).toBe('2030-01-01T12:02:00Z');
  });

  it('leaves the moment as it was when the status flips and flips back before it is written', () => {
    const written = setCondition([], ready('Unknown'), 1, noon);
    const between = setCondition(written, ready('True'), 1, noon + 60_000);
    const back = setCondition(between, ready('Unknown', 'again'), 1, noon + 60_000);
    expect(keepMoments(back, written)).toMatchObject([
      { status: 'Unknown', message: 'again', lastTransitionTime: '2030-01-01T12:00:00Z' },
    ]);
    expect(keepMoments(between, written)).toEqual(between);
  });

  it('returns the very same list when nothing changed', () => {
    const list = setCondition([], ready('True'), 1, noon);
    expect(setCondition(list, ready('True'), 1, noon + 5000)).toBe(list);
    expect(dropCondition(list, 'Stalled')).toBe(list);
  });

  it('leaves conditions of other writers alone and in place', () => {
    const other = { type: 'Theirs', status: 'True', lastTransitionTime: 't', reason: 'x', message: '' } as const;
    const list = setCondition([other], ready('True'), 1, noon);
    expect(list[0]).toBe(other);
    expect(dropCondition(list, 'Ready')).toEqual([other]);
  });

  it('cuts a message that the API server would refuse', () => {
    expect(setCondition([], ready('True', 'x'.repeat(40_000)), 1, noon)[0]?.message).toHaveLength(32_768);
  });
});

describe('standing', () => {
  const words = { reason: 'R', message: 'm' } as const;
  const types = (list: Conditions): string[] => list.map((condition) => `${condition.type}=${condition.status}`);

  it.each<[Standing, string[]]>([
    [{ is: 'ready', ...words }, ['Ready=True']],
    [{ is: 'reconciling', serving: false, ...words }, ['Ready=False', 'Reconciling=True']],
    [{ is: 'reconciling', serving: true, ...words }, ['Ready=True', 'Reconciling=True']],
    [{ is: 'stalled', serving: false, ...words }, ['Ready=False', 'Stalled=True']],
    [{ is: 'stalled', serving: true, ...words }, ['Ready=True', 'Stalled=True']],
  ])('%o reads as %o', (standing, expected) => {
    const before = stand([], { is: 'reconciling', serving: false, ...words }, 1, noon);
    expect(types(stand(before, standing, 1, noon))).toEqual(expected);
    expect(types(stand([], standing, 1, noon))).toEqual(expected);
  });

  it('never shows Reconciling and Stalled together, whatever came before', () => {
    const standing = fc.record({
      is: fc.constantFrom('ready', 'reconciling', 'stalled'),
      serving: fc.boolean(),
      reason: fc.constantFrom('A', 'B'),
      message: fc.constantFrom('a', 'b'),
    }) as fc.Arbitrary<Standing>;
    fc.assert(
      fc.property(fc.array(standing, { minLength: 1 }), (history) => {
        let list: Conditions = [];
        for (const [index, s] of history.entries()) list = stand(list, s, index, noon + index);
        const present = new Set(list.map((condition) => condition.type));
        expect(present.has('Ready')).toBe(true);
        expect(present.has('Reconciling') && present.has('Stalled')).toBe(false);
        expect(list.every((condition) => condition.observedGeneration === history.length - 1)).toBe(true);
      }),
    );
  });
});
