import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import { offers } from '../../portrait/offers.ts';
import { clusterObjects } from '../manifests/cluster-objects.ts';
import { examplePlan } from '../manifests/cluster-plan.fixture.ts';
import { aroundOf, unreadable } from './around.fixture.ts';
import { operator } from './blue-green/world.fixture.ts';
import { flinkWorkloads } from './flink-workloads.ts';

const [blueGreen, deployment, sessionJob] = flinkWorkloads(() => operator);

function podOf(labels: unknown): AnyObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', labels } } as AnyObject;
}

function flinkDeployment(name: string, owner?: string): AnyObject {
  const ownerReferences = owner
    ? [{ apiVersion: 'flink.apache.org/v1beta1', kind: 'FlinkBlueGreenDeployment', name: owner, uid: 'u' }]
    : [];
  return { apiVersion: 'flink.apache.org/v1beta1', kind: 'FlinkDeployment', metadata: { name, ownerReferences } };
}

const around = aroundOf(0, {
  'flinkdeployments.flink.apache.org': [flinkDeployment('orders-blue', 'orders'), flinkDeployment('counter')],
});

describe('the pods of our own manifests', () => {
  it('are those of their FlinkDeployment', () => {
    const plan = examplePlan();
    const objects = JSON.parse(JSON.stringify(clusterObjects(plan))) as Record<string, unknown>;
    const labels = labelsOf(objects);
    expect(labels).toMatchObject({ app: plan.owner.name });
    expect(deployment?.claims(podOf(labels), unreadable(0))).toBe(plan.owner.name);
  });
});

/** The labels of the first pod template in what was made. */
function labelsOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const { template } = value as { readonly template?: { readonly metadata?: { readonly labels?: unknown } } };
  if (template?.metadata?.labels) return template.metadata.labels;
  for (const inner of Object.values(value)) {
    const found = labelsOf(inner);
    if (found) return found;
  }
  return undefined;
}

describe('a pod', () => {
  it.each([
    ['of a side', { app: 'orders-blue', type: 'flink-native-kubernetes' }, 'orders', 'orders-blue'],
    ['of a cluster', { app: 'counter', type: 'flink-standalone-kubernetes' }, undefined, 'counter'],
    ['of a cluster that is not there', { app: 'gone', type: 'flink-native-kubernetes' }, undefined, undefined],
    ['of something else', { app: 'counter' }, undefined, undefined],
    ['without labels', undefined, undefined, undefined],
    ['with odd labels', 7, undefined, undefined],
  ])('%s', (_, labels, ofBlueGreen, ofDeployment) => {
    expect(blueGreen?.claims(podOf(labels), around)).toBe(ofBlueGreen);
    expect(deployment?.claims(podOf(labels), around)).toBe(ofDeployment);
    expect(sessionJob?.claims(podOf(labels), around)).toBeUndefined();
  });
});

it('every kind offers its verbs, or says why not', () => {
  for (const workload of flinkWorkloads(() => operator)) {
    const object = { apiVersion: 'flink.apache.org/v1beta1', kind: workload.type.kind, metadata: {} } as AnyObject;
    const found = offers(workload, object, around);
    expect(found.map(({ verb }) => verb)).toEqual(workload.verbs.map(({ name }) => name));
    expect(found.find(({ verb }) => verb === 'resume')?.whyNot).toBe('It is neither paused nor suspended.');
  }
});
