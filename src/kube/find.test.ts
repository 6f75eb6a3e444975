import { expect, it } from 'vitest';
import { KubeError } from './error.ts';
import { find } from './find.ts';
import { notFound } from './not-found.fixture.ts';
import type { KubeObject } from './object.ts';

const at = { namespace: 'a', name: 'x' };
const there: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: at };

const answering = (error?: KubeError) => ({
  get: async () => {
    if (error) throw error;
    return there;
  },
});
it('is what the server has, and nothing when it says that this very object is not there', async () => {
  expect(await find(answering(), at)).toBe(there);
  expect(await find(answering(notFound('x')), at)).toBeUndefined();
});

it('is nothing where no object can have the name: nobody is asked, and whoever reads a reference goes on', async () => {
  const barred = answering(new KubeError('refused', 'cannot be a name'));
  for (const name of ['', '..', '../x', 'a/b', 'a%2fb']) {
    expect(await find(barred, { namespace: 'a', name })).toBeUndefined();
    if (name) expect(await find(barred, { namespace: name, name: 'x' })).toBeUndefined();
  }
  await expect(find(barred, { namespace: '', name: 'x' })).rejects.toMatchObject({ kind: 'refused' });
});

it('is unknown when the server found something else missing, or does not answer', async () => {
  await expect(find(answering(notFound()), at)).rejects.toMatchObject({ kind: 'server' });
  await expect(find(answering(notFound('y')), at)).rejects.toMatchObject({ kind: 'server' });
  await expect(find(answering(new KubeError('unreachable', 'lost')), at)).rejects.toMatchObject({
    kind: 'unreachable',
  });
});
