import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../../src/kube/object.ts';
import { essential } from './essential.ts';

describe('what must be the same after every run', () => {
  const configMap = (name: string): AnyObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
  const cluster = configMap('orders-cluster-config-map');
  const ofJob = (digit: string): AnyObject => configMap(`orders-${digit.repeat(32)}-config-map`);

  it('is in the same order whatever the ids are', () => {
    expect(essential([ofJob('f'), cluster])).toEqual(essential([cluster, ofJob('0')]));
  });

  it('is not the same when something is missing', () => {
    expect(essential([ofJob('f')])).not.toEqual(essential([ofJob('f'), cluster]));
  });
});
