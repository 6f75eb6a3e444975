import { expect, it } from 'vitest';
import { errorFrom, errorFromStatus } from './error-from.ts';
import type { Status } from './object.ts';

it.each([
  [{ message: { toString: null }, reason: 'Expired' }, 'pods: Expired'],
  [{ message: 7, reason: ['x'] }, 'pods: the server answered 410'],
  [{ details: { retryAfterSeconds: { valueOf: null } } }, 'pods: the server answered 410'],
])('speaks of a Status whose fields are of another kind: %j', (fields, message) => {
  const status = { kind: 'Status', code: 410, ...fields } as unknown as Status;
  expect(errorFromStatus(status, 'pods')).toMatchObject({ kind: 'gone', message, retryAfterMs: undefined });
});

it.each(['999999999', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])(
  'waits an hour at most, though the server asks for %s',
  async (after) => {
    const headers = { 'retry-after': after, date: 'Tue, 01 Jan 2030 00:00:00 GMT' };
    async function* nothing(): AsyncGenerator<Uint8Array> {}
    await expect(errorFrom({ status: 503, headers, body: nothing() }, 'pods')).resolves.toMatchObject({
      retryAfterMs: 3_600_000,
    });
  },
);
