import { describe, expect, it } from 'vitest';
import { attemptsIn, type Count, flawsIn } from './counts.ts';

const KEYS = 4;

/** The line of a record that was counted rightly, unless said otherwise. */
function line(value: number, other: Partial<Count> = {}): string {
  const key = value % KEYS;
  const count = (value - key) / KEYS + 1;
  return `${JSON.stringify({ time: value, job: 'a', first: false, key, value, count, ...other })}\n`;
}

describe('what the counting job wrote', () => {
  it('is split into lives, each with its first and its last record', () => {
    const text = line(0, { first: true }) + line(9) + line(12, { first: true, job: 'b' }) + line(14, { job: 'b' });
    expect(attemptsIn(text)).toMatchObject([
      { job: 'a', first: { value: 0 }, last: { value: 9 } },
      { job: 'b', first: { value: 12 }, last: { value: 14 } },
    ]);
  });

  it('is read up to the last whole line', () => {
    expect(attemptsIn(`${line(0, { first: true })}{"time":1,"jo`)).toMatchObject([{ last: { value: 0 } }]);
    expect(attemptsIn('')).toEqual([]);
  });

  it('has no flaw when counting goes on from state, is repeated from a checkpoint, or starts over', () => {
    const text = line(0, { first: true }) + line(9) + line(7, { first: true }) + line(15) + line(0, { first: true });
    expect(flawsIn(text, KEYS)).toEqual([]);
  });

  it.each([
    ['a record was lost', line(8, { count: 2 }), /the count should be 3/],
    ['a record was counted twice', line(8, { count: 4 }), /the count should be 3/],
    ['only the counts started over', line(8, { first: true, count: 1 }), /the count should be 3/],
    ['only the source started over', line(0, { first: true, count: 3 }), /the count should be 1/],
    ['another job writes, too', line(8, { job: 'b' }), /two jobs write at the same time/],
    ['an older life goes on beside this one', line(3), /went back without a restart/],
  ])('shows that %s', (_what, wrong, flaw) => {
    expect(flawsIn(line(4, { first: true }) + wrong, KEYS)).toEqual([expect.stringMatching(flaw)]);
  });
});
