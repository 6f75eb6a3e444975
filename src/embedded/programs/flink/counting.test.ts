import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../clock/virtual.ts';
import { audit } from './audit.ts';
import { count, countProgram, nothingCounted, seen } from './counting.ts';
import { Run } from './run.ts';

describe('count', () => {
  it('counts every record once, whatever the steps', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 10 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 9 }), (sizes, keys) => {
        let state = nothingCounted;
        for (const size of sizes) state = count(state, state.offset + size, keys);
        const records = Array.from({ length: state.offset }, (_, record) => record % keys);
        const expected = Array.from({ length: keys }, (_, key) => records.filter((one) => one === key).length);
        expect(sizes.length === 0 ? expected : state.counts).toEqual(expected);
        expect(expected).toEqual(expected.map((_, key) => seen(state.offset, key, keys)));
      }),
    );
  });

  it('shows a doubled record by a count that is too high', () => {
    const state = count(nothingCounted, 100, 4);
    const doubled = count({ ...state, offset: 90 }, 100, 4);
    expect(doubled.counts.reduce((all, one) => all + one)).toBe(110);
  });
});

describe('countProgram', () => {
  it('reads its arguments, and takes no nonsense', () => {
    expect(countProgram(['--rate', '50', '--keys=3', '--label', 'v2'])).toMatchObject({
      rate: 50,
      keys: 3,
      label: 'v2',
    });
    expect(countProgram(['--rate', 'Infinity', '--keys', '-1'])).toMatchObject({ rate: 10, keys: 4 });
    expect(countProgram(['--rate', '1e300', '--keys', '1e9'])).toMatchObject({ rate: 1_000_000, keys: 10_000 });
  });
});

describe('audit', () => {
  const clock = new VirtualClock();
  const run = async (from: number, records: number, restoredFrom?: string): Promise<Run> => {
    const base = count(nothingCounted, from, 4);
    const names = { cluster: 'n/c', jobId: 'j', jobName: 'j', label: 'v1', attempt: 0, taskManagers: [] };
    const made = new Run(clock, { ...names, restoredFrom, base, rate: 1000, keys: 4 });
    await clock.advance(records);
    made.finish('lost');
    await clock.advance(1000);
    return made;
  };

  it('finds what nobody has read, what two have read, and who began empty', async () => {
    const runs = [await run(0, 100), await run(80, 50, 's3://a'), await run(150, 10, 's3://b'), await run(0, 5)];
    expect(audit(runs)).toEqual({
      end: 160,
      lost: [{ from: 130, to: 150 }],
      doubled: [
        { from: 0, to: 5 },
        { from: 80, to: 100 },
      ],
      startedEmpty: 1,
    });
  });

  it('says nothing about nothing', () => {
    expect(audit([])).toEqual({ end: 0, lost: [], doubled: [], startedEmpty: 0 });
  });
});
