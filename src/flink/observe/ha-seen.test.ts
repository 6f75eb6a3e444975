import { describe, expect, it } from 'vitest';
import { haSeen } from './ha-seen.ts';
import type { ConfigMap } from './kube-shapes.ts';

const map = (
  name: string,
  more: { data?: object; metadata?: object; type?: string; component?: string } = {},
): ConfigMap =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace: 'a',
      uid: name,
      resourceVersion: '1',
      labels: {
        app: 'c',
        type: more.type ?? 'flink-native-kubernetes',
        ...(more.component && { component: more.component }),
      },
      ...more.metadata,
    },
    data: more.data ?? {},
  }) as ConfigMap;

const job = 'a'.repeat(32);
const names = ({ configMaps }: { configMaps: readonly { name: string }[] }): string[] =>
  configMaps.map(({ name }) => name);

describe('metadata for recovery', () => {
  it('is there when some job left some, with or without a checkpoint', () => {
    const leaders = map('c-cluster-config-map', { data: { 'jobGraph-x': '' } });
    expect(haSeen('c', [leaders])).toMatchObject({ available: false, withCheckpoint: false });
    expect(haSeen('c', [leaders, map(`c-${job}-config-map`, { data: { counter: '1' } })])).toMatchObject({
      available: true,
      withCheckpoint: false,
    });
    const checkpoint = map(`c-${job}-config-map`, { data: { 'checkpointID-0000000000000000007': 'x' } });
    const seen = haSeen('c', [leaders, checkpoint]);
    expect(seen).toMatchObject({ available: true, withCheckpoint: true });
    expect(names(seen)).toEqual([`c-${job}-config-map`, 'c-cluster-config-map'].sort());
    expect(haSeen('c', [map(`c-${job}-jobmanager-leader`)]).available).toBe(true);
  });

  it('names the jobs as they were submitted, in whichever version of Flink', () => {
    const leaders = map('c-cluster-config-map', {
      data: { 'jobGraph-x': '', 'executionPlan-y': '', 'org.apache.flink.k8s.leader.restserver': '' },
    });
    const [submitted, ...others] = haSeen('c', [
      leaders,
      map(`c-${job}-config-map`, { data: { counter: '1' } }),
    ]).submitted;
    expect(submitted).toMatchObject({ ref: { name: 'c-cluster-config-map' }, keys: ['jobGraph-x', 'executionPlan-y'] });
    expect(others).toEqual([]);
  });

  it('that is going is no metadata, but not gone', () => {
    const going = map(`c-${job}-config-map`, { data: { 'checkpointID-1': 'x' }, metadata: { deletionTimestamp: 't' } });
    const seen = haSeen('c', [going]);
    expect(seen).toMatchObject({ available: false, withCheckpoint: false });
    expect(names(seen)).toHaveLength(1);
  });

  it('is not what goes with its owner, what we made, or what the autoscaler keeps', () => {
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'c', uid: 'd' };
    const others = [
      map('flink-config-c'),
      map('pod-template-c'),
      map('hadoop-config-c', { metadata: { ownerReferences: [owner] } }),
      map('autoscaler-c', { component: 'autoscaler' }),
      map('x', { type: 'flink-standalone-kubernetes' }),
    ];
    expect(haSeen('c', others)).toEqual({ available: false, withCheckpoint: false, configMaps: [], submitted: [] });
  });
});
