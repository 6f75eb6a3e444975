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

  it('is not the same when something else was made under the same name', () => {
    const deployment = (image: string): AnyObject => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'orders' },
      spec: { template: { spec: { containers: [{ name: 'flink-main-container', image }] } } },
    });
    expect(essential([deployment('flink:1.20')])).not.toEqual(essential([deployment('flink:2.0')]));
    const config = (data: object): AnyObject => ({ ...configMap('flink-config-orders'), data });
    expect(essential([config({ a: '1' })])).not.toEqual(essential([config({ a: '2' })]));
  });

  it('is not what a JobManager keeps, which changes by itself', () => {
    const kept = (data: object): AnyObject => ({
      ...cluster,
      metadata: { ...cluster.metadata, labels: { 'configmap-type': 'high-availability' } },
      data,
    });
    expect(essential([kept({ counter: '1' })])).toEqual(essential([kept({ counter: '2' })]));
  });
});
