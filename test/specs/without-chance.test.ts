import { expect, it } from 'vitest';
import { withoutChance } from './without-chance.ts';

it('takes ids, times and counts away, and leaves what people write', () => {
  const config = 'execution.savepoint.path: s3://bucket/savepoint-012345-0123456789ab\nparallelism: 2\n';
  const object = {
    name: 'lane-blue-0123456789',
    uid: '01234567-89ab-cdef-0123-456789abcdef',
    labels: { 'cloudfoundry.org/app-rev': '12', side: 'BLUE', created_at: '2026-11-01T19-27-20' },
    annotations: { 'cutover.dev/highest-app-rev': '12', 'a.org/generation': '7' },
    spec: { replicas: 3, at: 1_700_000_000_000, initialSavepointPath: 's3://bucket/savepoint-012345-0123456789ab' },
    data: { config },
  };
  expect(withoutChance([object])).toEqual([
    {
      name: 'lane-SIDE-HASH',
      uid: 'UID',
      labels: { 'cloudfoundry.org/app-rev': 'N', side: 'SIDE', created_at: 'TIME' },
      annotations: { 'a.org/generation': 'N' },
      spec: { replicas: 3, at: 'TIME' },
      data: { config: 'parallelism: 2\n' },
    },
  ]);
});

it('does not depend on which member was written first', () => {
  expect(JSON.stringify(withoutChance({ b: 1, a: { d: 2, c: 3 } }))).toBe('{"a":{"c":3,"d":2},"b":1}');
});

it('keeps numbers and texts at their boundaries apart', () => {
  const kept = { a: Number.MAX_SAFE_INTEGER, b: -(2 ** 31), c: '9007199254740991', d: '"', initialSavepointPath: '/x' };
  expect(withoutChance(kept)).toEqual(kept);
});
