import { expect, it } from 'vitest';
import type { Client } from '../../kube/client.ts';
import { KubeError } from '../../kube/error.ts';
import { ownAccount } from './own-account.ts';

const { signal } = new AbortController();

/** A server that answers with these, one after the other. */
function answering(...answers: readonly (string | KubeError)[]) {
  const left = [...answers];
  const create = async () => {
    const answer = left.shift();
    if (answer === undefined || answer instanceof KubeError) throw answer ?? new Error('it was asked once more');
    return { status: { userInfo: { username: answer } } };
  };
  return ownAccount({ resource: () => ({ create }) } as unknown as Client);
}

it('is asked for once, whoever that is', async () => {
  const account = answering('system:serviceaccount:cutover:operator');
  const expected = { kind: 'ServiceAccount', namespace: 'cutover', name: 'operator' };
  expect([await account(signal), await account(signal)]).toEqual([expected, expected]);
  const person = answering('admin');
  expect([await person(signal), await person(signal)]).toEqual([undefined, undefined]);
});

it('is asked for again when the server does not know the question, or cannot be asked', async () => {
  const unreachable = new KubeError('unreachable', 'away');
  const account = answering(new KubeError('not-found', 'not yet'), unreachable, 'system:serviceaccount:a:b');
  expect(await account(signal)).toBeUndefined();
  await expect(account(signal)).rejects.toThrow('away');
  expect(await account(signal)).toMatchObject({ namespace: 'a', name: 'b' });
});
