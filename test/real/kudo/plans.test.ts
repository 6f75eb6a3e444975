import { afterAll, beforeAll, expect, it } from 'vitest';
import { kinds } from '../../../src/kube/kinds.ts';
import { packageFolder } from './packages.ts';
import { KudoWorld } from './world.ts';

let world: KudoWorld;

beforeAll(async () => {
  world = await KudoWorld.open('kudo-plans');
  await world.operate();
});
afterAll(async () => await world[Symbol.asyncDispose]());

it('ends a plan whose Job fails, and runs it again when the cause is gone', async () => {
  const failed = expect.stringContaining('has failed terminally');
  await expect(world.install(packageFolder('errand'), 'errand', { EXIT_CODE: '3' })).rejects.toThrow(/exit code 1/);
  const { status } = await world.instance('errand');
  expect(status?.planStatus?.deploy?.status).toBe('FATAL_ERROR');
  expect(status?.history?.[0]).toMatchObject({ outcome: 'FATAL_ERROR', message: failed });
  expect(await world.events('errand')).toContainEqual(failed);

  await world.update('errand', { EXIT_CODE: '0' });
  expect((await world.instance('errand')).status?.planStatus?.deploy?.status).toBe('COMPLETE');
});

it('keeps the files of a Pipe task where other steps find them', async () => {
  await world.install(packageFolder('keys'), 'keys', { WORD: 'mellon' });
  const { items } = await world.list(kinds.secrets);
  const made = items.find(({ metadata }) => metadata.labels?.['kudo.dev/instance'] === 'keys');
  expect(made?.data).toEqual({ 'private.txt': Buffer.from('mellon').toString('base64') });
  const pods = Object.keys(await world.pods('kudo.dev/instance=keys'));
  expect(pods).toEqual([expect.not.stringContaining('pipepod')]);
});
