import { describe, expect, it } from 'vitest';
import type { Instance, InstanceStatus } from '../resources/instance.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { decideInstance } from './instance.ts';
import type { InstanceView } from './view.ts';

const version = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: 'v', namespace: 'default' },
  spec: { plans: { deploy: { strategy: 'serial', phases: [] }, backup: { strategy: 'serial', phases: [] } } },
} as unknown as OperatorVersion;

/** What is written about an Instance that KUDO looked after, when `spec.planExecution` says this. */
function taken(planExecution: NonNullable<Instance['spec']['planExecution']>): InstanceStatus {
  const instance = {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name: 'one', namespace: 'default', uid: 'i-1', resourceVersion: '1', generation: 3 },
    spec: { operatorVersion: { name: 'v' }, parameters: { MODE: 'x' }, planExecution },
    status: { planStatus: { deploy: { name: 'deploy', status: 'COMPLETE', uid: 'of-kudo', phases: [] } } },
  } as Instance;
  const view: InstanceView = {
    instance,
    versions: { wanted: version },
    work: [],
    world: {},
    belongings: { applied: {}, workloads: [] },
    outcomes: {},
    now: Date.parse('2026-11-01T10:00:00Z'),
  };
  const [written] = decideInstance(view).actions;
  return written?.do === 'status' ? (written.status as InstanceStatus) : expect.fail('no status was written');
}

describe('an Instance that KUDO looked after', () => {
  it('keeps what it has, and runs nothing', () => {
    const status = taken({});
    expect(status.accepted).toEqual({ operatorVersion: { name: 'v' }, parameters: { MODE: 'x' } });
    expect(status.execution).toBeUndefined();
  });

  it.each(['COMPLETE', 'FATAL_ERROR'])('does not run once more what KUDO left there as %s', (said) => {
    expect(taken({ planName: 'deploy', uid: 'of-kudo', status: said }).execution).toBeUndefined();
  });

  it('goes on with what KUDO had scheduled, without a restart', () => {
    const { execution } = taken({ planName: 'deploy', uid: 'new-of-kudo', status: 'NEVER_RUN' });
    expect(execution).toMatchObject({ uid: 'new-of-kudo', plan: 'deploy', forced: false });
    expect(execution).not.toHaveProperty('restartUID');
  });
});
