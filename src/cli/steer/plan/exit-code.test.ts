import { expect, it } from 'vitest';
import type { Risk } from '../../../portrait/plan.ts';
import { exitCodeOf } from './exit-code.ts';

it('is that of the worst of several plans', () => {
  const code = (...all: readonly Risk[]): number => exitCodeOf(all.map((risk) => ({ risk, problems: [] })));
  expect([code(), code('none'), code('quiet'), code('restart'), code('disruption')]).toEqual([0, 0, 2, 3, 4]);
  expect([code('disruption', 'none'), code('quiet', 'restart')]).toEqual([4, 3]);
  const problem = { field: 'spec', rule: 'r', message: 'no' };
  expect(
    exitCodeOf([
      { risk: 'disruption', problems: [] },
      { risk: 'none', problems: [problem] },
    ]),
  ).toBe(1);
});
