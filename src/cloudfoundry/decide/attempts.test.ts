import { expect, it } from 'vitest';
import type { Action } from '../../control/decision.ts';
import { actionDigest, type Outcomes, outcomeId } from '../../control/outcome.ts';
import { attempts } from './attempts.ts';

const apply = (name: string, text = ''): Action => ({
  do: 'apply',
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'a', annotations: { text } } },
});

function failed(result: 'refused' | 'unavailable', action: Action, at: number): Outcomes {
  return { [outcomeId(action)]: { result, at, since: at, of: actionDigest(action), message: `no ${result}` } };
}

it('tries everything that has not failed', () => {
  expect(attempts([apply('a'), apply('b')], {}, 0)).toEqual({ actions: [apply('a'), apply('b')] });
});

it('leaves what was refused for half a minute, and does the rest', () => {
  const outcomes = failed('refused', apply('a'), 1_000);
  const failure = { of: apply('a'), message: 'no refused' };
  expect(attempts([apply('a'), apply('b')], outcomes, 2_000)).toEqual({
    actions: [apply('b')],
    failure,
    wakeAt: 31_000,
  });
  expect(attempts([apply('a')], outcomes, 31_000)).toEqual({ actions: [apply('a')], failure });
});

it('tries at once what is no longer what was refused', () => {
  expect(attempts([apply('a', 'new')], failed('refused', apply('a'), 1_000), 2_000)).toEqual({
    actions: [apply('a', 'new')],
  });
});

it('leaves it to the loop when to try again what did not work', () => {
  const { actions, failure } = attempts([apply('a')], failed('unavailable', apply('a'), 1_000), 2_000);
  expect(actions).toEqual([apply('a')]);
  expect(failure?.message).toBe('no unavailable');
});
