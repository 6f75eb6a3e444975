import { expect, it } from 'vitest';
import type { Instance } from './instance.ts';
import { instancesStatus } from './instances-status.ts';

const instance = (more: Partial<Instance>): Instance => ({
  ordinal: 0,
  version: '2',
  ready: false,
  ending: false,
  state: 'RUNNING',
  pod: { apiVersion: 'v1', kind: 'Pod', metadata: {} },
  ...more,
});
const wanted = { wanted: 1, version: '2', held: false };

it('gives no details of an instance that ends as it should, for the cf CLI calls details an error', () => {
  expect(instancesStatus([instance({ ending: true })], wanted)).toEqual({ 0: { state: 'STARTING' } });
});

it('gives as details why an instance does not come up', () => {
  const status = instancesStatus([instance({ state: 'CRASHED', trouble: 'exit 1' })], wanted);
  expect(status).toEqual({ 0: { state: 'CRASHED', details: 'exit 1' } });
});
