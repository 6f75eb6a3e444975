import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineWindow, type WindowOptions } from './line-window.ts';
import type { LogLine } from './log-line.ts';

const all: WindowOptions = { start: 0n, end: undefined, limit: 3, keep: 'newest', maxBytes: 1 << 20 };
const line = (time: number, text = String(time)): LogLine => ({
  time: BigInt(time),
  payload: Buffer.from(text),
  kind: 'OUT',
  sourceType: 'APP/PROC/WEB',
  instance: '0',
});
const times = (window: LineWindow): readonly number[] => window.lines().map(({ time }) => Number(time));

describe('a window of lines', () => {
  it('keeps the newest, or the oldest, and no more than asked for', () => {
    const newest = new LineWindow(all);
    const oldest = new LineWindow({ ...all, keep: 'oldest' });
    const wanted = [1, 2, 3, 4, 5].map((time) => [newest.add(line(time)), oldest.add(line(time))]);
    expect(times(newest)).toEqual([3, 4, 5]);
    expect(times(oldest)).toEqual([1, 2, 3]);
    expect(wanted.map(([, more]) => more)).toEqual([true, true, false, false, false]);
  });

  it('begins with its start and ends before its end, after which nothing of a source can be wanted', () => {
    const window = new LineWindow({ ...all, start: 2n, end: 4n });
    expect([1, 2, 3, 4].map((time) => window.add(line(time)))).toEqual([true, true, true, false]);
    expect(times(window)).toEqual([2, 3]);
  });

  it('never holds much more than it may, but always a line', () => {
    const window = new LineWindow({ ...all, limit: 1000, maxBytes: 100 });
    for (let time = 1; time <= 1000; time++) window.add(line(time, 'x'.repeat(40)));
    expect(times(window)).toEqual([999, 1000]);
    const large = new LineWindow({ ...all, maxBytes: 10 });
    large.add(line(1, 'x'.repeat(40)));
    expect(times(large)).toEqual([1]);
  });

  it('gives the same whether lines come from one source or from several', () => {
    const sources = fc.array(fc.array(fc.nat(50), { maxLength: 20 }), { maxLength: 5 });
    const options = fc.record({ limit: fc.integer({ min: 1, max: 10 }), keep: fc.constantFrom('newest', 'oldest') });
    fc.assert(
      fc.property(sources, options, (lists, { limit, keep }) => {
        const choice: WindowOptions = { ...all, limit, keep: keep as 'newest' | 'oldest' };
        const joined = new LineWindow(choice);
        for (const list of lists) {
          const own = new LineWindow(choice);
          for (const time of list.toSorted((a, b) => a - b)) if (!own.add(line(time))) break;
          joined.join(own);
        }
        const sorted = lists.flat().toSorted((a, b) => a - b);
        expect(times(joined)).toEqual(keep === 'newest' ? sorted.slice(-limit) : sorted.slice(0, limit));
      }),
    );
  });
});
