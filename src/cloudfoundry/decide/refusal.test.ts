import { expect, it } from 'vitest';
import type { Action } from '../../control/decision.ts';
import { actionDigest, outcomeId } from '../../control/outcome.ts';
import { refusal } from './refusal.ts';

const create = (image: string): Action => ({
  do: 'create',
  object: { apiVersion: 'v1', kind: 'Job', metadata: { name: 'a', namespace: 'space' }, spec: { image } } as never,
});

const outcomes = (of: Action, lasted: number, result: 'refused' | 'unavailable' = 'refused') => ({
  [outcomeId(of)]: { result, at: 100_000, since: 100_000 - lasted, of: actionDigest(of), message: 'over quota' },
});

it('is believed when it has lasted, and not when it was heard once', () => {
  expect(refusal(create('a'), {})).toBeUndefined();
  expect(refusal(create('a'), outcomes(create('a'), 0))).toEqual({ isFinal: false, why: 'over quota' });
  expect(refusal(create('a'), outcomes(create('a'), 29_999))).toEqual({ isFinal: false, why: 'over quota' });
  expect(refusal(create('a'), outcomes(create('a'), 30_000))).toEqual({ isFinal: true, why: 'over quota' });
});

it('is not waited for longer because the clock was set back', () => {
  expect(refusal(create('a'), outcomes(create('a'), -3_600_000))).toEqual({ isFinal: true, why: 'over quota' });
});

it('is of this very action, and no mere outage', () => {
  expect(refusal(create('b'), outcomes(create('a'), 30_000))).toBeUndefined();
  expect(refusal(create('a'), outcomes(create('a'), 30_000, 'unavailable'))).toBeUndefined();
});
