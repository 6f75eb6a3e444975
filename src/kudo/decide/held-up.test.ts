import { expect, it } from 'vitest';
import { heldUp, neededBy } from './held-up.ts';
import type { StepWork } from './task/work.ts';

const podSpec = {
  imagePullSecrets: [{ name: 'pull' }],
  volumes: [
    { configMap: { name: 'conf' } },
    { secret: { secretName: 'maybe', optional: true } },
    { persistentVolumeClaim: { claimName: 'disk' } },
  ],
  containers: [{ name: 'main', envFrom: [{ secretRef: { name: 'keys' } }, { configMapRef: { name: 'conf' } }] }],
};
const set = (readyReplicas: number) => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'web', generation: 1 },
  spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template: { spec: podSpec } },
  status: { observedGeneration: 1, readyReplicas, updatedReplicas: 1 },
});
const view = (readyReplicas: number) => ({
  work: [
    { phase: 'p', step: 's', tasks: [{ name: 't', does: 'apply', objects: [set(0)], warnings: [] }] },
  ] as unknown as readonly StepWork[],
  world: {
    'apps/v1 StatefulSet web': { is: 'known', namespaced: true, watched: true, object: set(readyReplicas) as never },
  } as const,
});
const pod = (name: string, app: string, leaving = false) =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app }, ...(leaving && { deletionTimestamp: '2026-01-01T00:00:00Z' }) },
    status: { containerStatuses: [{ name: 'main', state: { waiting: { reason: 'InvalidImageName' } } }] },
  }) as never;
const conf = { apiVersion: 'v1', kind: 'ConfigMap', name: 'conf' };
const keys = { apiVersion: 'v1', kind: 'Secret', name: 'keys' };

it('knows without what the pods of a workload that is waited for do not start', () => {
  expect(neededBy(view(0))).toEqual([conf, keys]);
  expect(neededBy(view(1))).toEqual([]);
});

it('names what is missing, and else says what is wrong with the pods of that workload', () => {
  const pods = [pod('web-0', 'web'), pod('web-1', 'web', true), pod('db-0', 'db')];
  expect(heldUp(view(0), { missing: [conf], pods })).toBe(
    'ConfigMap conf, which pods of StatefulSet web need, is not there.',
  );
  expect(heldUp(view(0), { missing: [], pods })).toBe('Pod web-0 does not come up: container main: InvalidImageName.');
});

it('has nothing to say where nothing is known to be wrong, or nothing is waited for', () => {
  expect(heldUp(view(0), { missing: [], pods: [] })).toBeUndefined();
  expect(heldUp(view(1), { missing: [conf], pods: [pod('web-0', 'web')] })).toBeUndefined();
});

it('tells no more than three things at once', () => {
  const pods = ['web-0', 'web-1', 'web-2', 'web-3'].map((name) => pod(name, 'web'));
  expect(heldUp(view(0), { missing: [], pods })?.match(/Pod web/g)).toHaveLength(3);
});
