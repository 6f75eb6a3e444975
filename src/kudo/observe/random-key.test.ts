import { describe, expect, it } from 'vitest';
import { sealer } from '../../control/sealed.ts';
import type { Client } from '../../kube/client.ts';
import { KubeError } from '../../kube/error.ts';
import type { Status } from '../../kube/object.ts';
import type { RandomKey } from '../decide/view.ts';
import type { Instance } from '../resources/instance.ts';
import { randomKeyOf } from './random-key.ts';

const instance = { metadata: { namespace: 'default', name: 'one', uid: 'now' } } as Instance;
const deleted = { metadata: { ...instance.metadata, deletionTimestamp: '2026-11-01T10:00:00Z' } } as Instance;

/** The key as it is found if the server answers like this for the Secret. */
async function found(answer: object | KubeError, of = instance): Promise<string> {
  const get = async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const sources = {
    client: { resource: () => ({ get }) } as unknown as Client,
    seal: sealer(new Uint8Array(32)),
    randomBytes: (count: number) => new Uint8Array(count),
  };
  return told(await randomKeyOf(of, sources, new AbortController().signal));
}

function told(key: RandomKey): string {
  if (key.is === 'orphaned') return `orphaned ${key.secret.name}`;
  return 'value' in key ? `${key.is} ${key.value.open()}` : `${key.is}: ${key.message}`;
}

const secret = (uid: string, data?: object) => ({ metadata: { ownerReferences: [{ uid }] }, ...(data && { data }) });
const error = (kind: KubeError['kind']) => new KubeError(kind, 'so it is');
const status = { reason: 'NotFound', code: 404, details: { name: 'one.kudo-random' } } as Status;
const absent = new KubeError('not-found', 'it is not there', { status });

describe('the random key of an Instance', () => {
  it('is what the Secret has that it owns', async () => {
    expect(await found(secret('now', { key: 'a2V5' }))).toBe('kept a2V5');
  });

  it('is a fresh one where there is no Secret', async () => {
    expect(await found(absent)).toMatch(/^fresh A+=$/);
  });

  it.each([
    ['a former Instance', secret('before', { key: 'a2V5' })],
    ['nobody', { metadata: {}, data: { key: 'a2V5' } }],
  ])('is not taken from a Secret of %s: that has to go first', async (_, answer) => {
    expect(await found(answer)).toBe('foreign: Secret one.kudo-random is not of this Instance, and is to go first');
  });

  it('is taken over with a Secret that an Instance left behind', async () => {
    const metadata = {
      namespace: 'default',
      name: 'one.kudo-random',
      uid: 's',
      resourceVersion: '1',
      annotations: { 'cutover.dev/id': 'before/random' },
    };
    const left = { apiVersion: 'v1', kind: 'Secret', metadata, data: { key: 'a2V5' } };
    expect(await found(left)).toBe('orphaned one.kudo-random');
    const owned = { ...left, metadata: { ...metadata, ownerReferences: [{ uid: 'before' }] } };
    expect(await found(owned)).toMatch(/^foreign/);
  });

  it('that cannot be read is told of, and ends nothing', async () => {
    expect(await found(error('forbidden'))).toBe('unreadable: Secret one.kudo-random: so it is');
    expect(await found(error('not-found')), 'of the whole resource').toMatch(/^unreadable/);
    expect(await found(secret('now'))).toContain('unreadable: Secret one.kudo-random has no key');
  });

  it('is always the same for a cleanup, whoever has the Secret', async () => {
    const derived = await found(absent, deleted);
    expect(derived).toMatch(/^kept /);
    expect(await found(secret('before', { key: 'a2V5' }), deleted)).toBe(derived);
    expect(await found(secret('now', { key: 'a2V5' }), deleted)).toBe('kept a2V5');
    expect(await found(error('forbidden'), deleted)).toMatch(/^unreadable/);
    expect(await found(error('not-found'), deleted), 'of the whole resource').toMatch(/^unreadable/);
  });
});
