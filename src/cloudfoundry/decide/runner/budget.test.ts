import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../kube/object.ts';
import type { AppWorkloadView } from '../../observe/app-workload-view.ts';
import type { StatefulSet } from '../../observe/kube-shapes.ts';
import { budgetActions } from './budget.ts';

const set: StatefulSet = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'web', uid: 'set' } };

function budget(owner: string): KubeObject {
  const reference = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: owner };
  const metadata = { name: 'web', uid: 'budget', resourceVersion: '1', ownerReferences: [reference] };
  return { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata };
}

function done(instances: number, budgets: readonly KubeObject[]): readonly string[] {
  const workload = { metadata: { name: 'workload', uid: 'workload' }, spec: { instances, GUID: 'process' } };
  return budgetActions({ workload, budgets } as unknown as AppWorkloadView, set).map((action) => action.do);
}

describe('the disruption budget of a StatefulSet', () => {
  it('is made for several instances, and goes when there is one', () => {
    expect([done(2, []), done(2, [budget('set')]), done(1, [budget('set')]), done(1, [])]).toEqual([
      ['create'],
      [],
      ['delete'],
      [],
    ]);
  });

  it("is not removed when it is somebody else's, whatever its name", () => {
    expect(done(1, [budget('the set before')])).toEqual([]);
  });
});
