import { expect, it } from 'vitest';
import { overdue, overdueAt } from './overdue.ts';

const execution = {
  uid: 'u',
  plan: 'deploy',
  cause: 'install',
  forced: false,
  startedAt: '2026-01-01T00:00:00Z',
} as const;
const begun = Date.parse(execution.startedAt);
const instance = (spec: object) =>
  ({
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name: 'i' },
    spec: { operatorVersion: { name: 'v' }, ...spec },
  }) as never;

it('tells that a plan takes long, and for what it waits, after the time that the Instance gives it', () => {
  const where = 'plan deploy is at nodes/nodes: StatefulSet web is not healthy';
  expect(overdue(execution, instance({ planTimeoutSeconds: 300 }), begun + 299_999, where)).toBeUndefined();
  const told = overdue(execution, instance({ planTimeoutSeconds: 300 }), begun + 300_000, where);
  expect(told).toMatchObject({ type: 'Stalled', status: 'True', reason: 'PlanTakesLong' });
  expect(told?.message).toContain('nodes/nodes: StatefulSet web');
});

it('says what keeps up what it waits for, in sentences with one full stop each', () => {
  const why = 'ConfigMap c, which pods of StatefulSet web need, is not there.';
  const told = overdue(execution, instance({}), begun + 600_000, 'plan deploy is at a/b: Waiting for 2 pods...', why);
  expect(told?.message).toMatch(
    /^plan deploy is at a\/b: Waiting for 2 pods\. ConfigMap c, .* is not there\. It takes/,
  );
});

it('gives it ten minutes by default, and for ever if that is asked for', () => {
  expect(overdueAt(execution, instance({}))).toBe(begun + 600_000);
  expect(overdueAt(execution, instance({ planTimeoutSeconds: 0 }))).toBeUndefined();
  expect(overdue(execution, instance({ planTimeoutSeconds: 0 }), begun * 2, 'at')).toBeUndefined();
});
