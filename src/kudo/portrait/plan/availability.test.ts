import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../kube/object.ts';
import { costOf } from './availability.ts';

const workload = (kind: string, spec: object = {}): KubeObject =>
  ({ apiVersion: 'apps/v1', kind, metadata: { name: 'x' }, spec }) as KubeObject;

describe('what a restart costs', () => {
  it.each([
    ['StatefulSet', {}, 1, 'interrupted'],
    ['StatefulSet', {}, 3, 'reduced'],
    ['DaemonSet', {}, 1, 'interrupted'],
    ['DaemonSet', {}, 4, 'reduced'],
    // A quarter of one, rounded down, is none that may be away.
    ['Deployment', {}, 1, 'throughout'],
    ['Deployment', {}, 4, 'reduced'],
    ['Deployment', { strategy: { type: 'Recreate' } }, 4, 'interrupted'],
    ['Deployment', { strategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } } }, 1, 'interrupted'],
    ['Deployment', { strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 0 } } }, 2, 'reduced'],
    ['Deployment', { strategy: { rollingUpdate: { maxUnavailable: '100%' } } }, 4, 'interrupted'],
    ['Deployment', { strategy: { rollingUpdate: { maxUnavailable: '0%', maxSurge: '50%' } } }, 4, 'throughout'],
    ['StatefulSet', {}, 0, 'throughout'],
  ] as const)('%s %j with %i pods: %s', (kind, spec, pods, serves) => {
    expect(costOf(workload(kind, spec), pods).serves).toBe(serves);
  });

  it('counts pods that are there besides', () => {
    const rolling = { strategy: { rollingUpdate: { maxSurge: '50%' } } };
    expect(costOf(workload('Deployment', rolling), 3).surge).toBe(2);
  });
});
