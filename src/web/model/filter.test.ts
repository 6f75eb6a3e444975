import { describe, expect, it } from 'vitest';
import { countsOf, everything, type Filter, filterOf, passes, queryOf } from './filter.ts';
import { summaryOf } from './summary.fixture.ts';

const orders = summaryOf({ phase: 'progressing', inTransition: true, state: 'TRANSITIONING_TO_GREEN' });
const shop = summaryOf(
  { phase: 'waiting', needsYou: 'promote it' },
  { family: 'cloudfoundry', kind: 'CFApp', namespace: 'shop', name: '6d1f', title: 'Web Shop' },
);

describe('a filter', () => {
  it.each<[Partial<Filter>, boolean, boolean]>([
    [{}, true, true],
    [{ text: 'ORD' }, true, false],
    [{ text: 'web shop' }, false, true],
    [{ text: 'shop web' }, false, true],
    [{ text: 'transitioning_to' }, true, false],
    [{ text: 'orders shop' }, false, false],
    [{ phases: ['waiting', 'failed'] }, false, true],
    [{ family: 'flink' }, true, false],
    [{ namespace: 'shop' }, false, true],
    [{ only: 'transition' }, true, false],
    [{ only: 'needs' }, false, true],
    [{ only: 'needs', family: 'flink' }, false, false],
  ])('%j', (given, first, second) => {
    const filter = { ...everything, ...given };
    expect([passes(orders, filter), passes(shop, filter)]).toEqual([first, second]);
  });

  it('survives the address bar', () => {
    const filter: Filter = {
      text: 'a&b c',
      phases: ['failed', 'waiting'],
      family: 'kudo',
      namespace: 'x',
      only: 'needs',
    };
    expect(queryOf(filter)).toBe('q=a%26b+c&only=needs&phase=failed,waiting&family=kudo&namespace=x');
    expect(filterOf(queryOf(filter))).toEqual(filter);
    expect(queryOf(everything)).toBe('');
  });

  it('ignores what it does not know', () => {
    expect(filterOf('phase=bored,failed&only=mine&color=red')).toEqual({ ...everything, phases: ['failed'] });
  });
});

describe('counts', () => {
  it('tell how many are behind each filter', () => {
    const counts = countsOf([orders, shop, summaryOf()]);
    expect(counts).toMatchObject({ all: 3, transition: 1, needs: 1 });
    expect(counts.phases).toMatchObject({ progressing: 1, waiting: 1, healthy: 1, failed: 0 });
  });
});
