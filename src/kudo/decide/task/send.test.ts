import { describe, expect, it } from 'vitest';
import type { Action, ApplyAction } from '../../../control/decision.ts';
import { actionDigest, outcomeId } from '../../../control/outcome.ts';
import { send } from './send.ts';

const apply = (kind: string, resourceVersion = '1'): ApplyAction => {
  return {
    do: 'apply',
    object: { apiVersion: 'v1', kind, metadata: { name: 'a', namespace: 'here' } },
    resourceVersion,
  };
};
const patch = (resourceVersion: string): Action => ({
  do: 'patch',
  of: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'here', name: 'a', uid: 'u', resourceVersion },
  patch: [{ op: 'replace', path: '/metadata/managedFields', value: [{ time: resourceVersion }] }],
});

/** What becomes of `next` a moment after `action` was refused. */
function refusedThen(action: Action, next: Action, message = 'no') {
  const outcome = { result: 'refused', at: 1000, since: 1000, of: actionDigest(action), message } as const;
  const outcomes = { [outcomeId(action)]: outcome };
  return send(next, { outcomes, now: 1500 });
}

describe('what was refused a moment ago', () => {
  it.each([
    ['an apply', apply('ConfigMap', '1'), apply('ConfigMap', '2')],
    ['a patch', patch('1'), patch('2')],
  ])('waits, though somebody wrote to the object since: %s', (_, action, next) => {
    expect(refusedThen(action, next)).toMatchObject({ actions: [], retryAt: 2000, failure: { message: 'no' } });
  });

  it('is sent at once if it is another now', () => {
    const { object } = apply('ConfigMap');
    const next: Action = { do: 'apply', object: { ...object, metadata: { ...object.metadata, labels: { a: 'b' } } } };
    expect(refusedThen(apply('ConfigMap'), next).actions).toEqual([next]);
  });
});

describe('what the server says', () => {
  const said = '.stringData.pin: expected string, got &value.valueUnstructured{Value:12345}\n.other: 678';

  it('is told without what a Secret holds', () => {
    const { failure } = refusedThen(apply('Secret'), apply('Secret'), said);
    expect(failure?.message).toBe('.stringData.pin: expected string, got (not shown)');
  });

  it('is told as it is for all else', () => {
    expect(refusedThen(apply('ConfigMap'), apply('ConfigMap'), said).failure?.message).toBe(said);
  });
});
