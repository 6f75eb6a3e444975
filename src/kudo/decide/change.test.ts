import { describe, expect, it } from 'vitest';
import type { Instance, InstanceStatus } from '../resources/instance.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { takeChange } from './change.ts';
import { begin } from './execution.ts';
import type { InstanceView } from './view.ts';

const plan = { strategy: 'serial', phases: [{ name: 'p', steps: [{ name: 's', tasks: ['all'] }] }] };
const version = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: 'v', namespace: 'default' },
  spec: {
    parameters: [
      { name: 'LEVEL', default: 'info' },
      { name: 'NODES', default: '1', forcePodRestart: false },
      { name: 'NOTE', default: '', trigger: 'note', forcePodRestart: false },
    ],
    tasks: [{ name: 'all', kind: 'Apply', spec: { resources: ['config.yaml', 'nodes.yaml'] } }],
    plans: { deploy: plan, note: plan },
  },
} as unknown as OperatorVersion;
const operatorVersion = { name: 'v' };
const now = Date.parse('2026-11-01T10:00:00Z');

type Values = Readonly<Record<string, string>>;

/** What becomes of the status when values have become others. */
function changed(status: InstanceStatus, parameters: Values): InstanceStatus {
  const instance = {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name: 'one', namespace: 'default', uid: 'i-1', resourceVersion: '1', generation: 3 },
    spec: { operatorVersion, parameters },
    status,
  } as Instance;
  const versions = { wanted: version, accepted: version };
  const belongings = { applied: {}, workloads: [] };
  const view: InstanceView = { instance, versions, work: [], world: {}, belongings, outcomes: {}, now };
  const about = { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', name: 'one', uid: 'i-1', resourceVersion: '1' };
  return takeChange(view, about).status;
}

const at = (parameters: Values): InstanceStatus => ({ accepted: { operatorVersion, parameters }, executions: 4 });

describe('a removed value that no plan is run for, for another one is unknown', () => {
  it('demands its restart of the plan that will apply it', () => {
    const stored = changed(at({ LEVEL: 'debug', FORGOTTEN: 'x' }), {});
    expect(stored.execution).toBeUndefined();
    expect(stored.accepted?.parameters).toEqual({});
    expect(stored.restart).toMatchObject({ plan: 'deploy', changed: ['LEVEL'] });
    const quiet = changed(stored, { NODES: '2' });
    expect(quiet.execution).toMatchObject({ plan: 'deploy', forced: false, restartUID: stored.restart?.uid });
    const again = begin(
      stored,
      {
        plan: 'deploy',
        cause: 'parameters',
        changed: ['LEVEL'],
        forced: true,
        accepted: { operatorVersion, parameters: {} },
      },
      { instanceUid: 'i-1', generation: 4, version, now },
    );
    expect(again.execution?.restartUID).not.toBe(stored.restart?.uid);
  });

  it('demands none if it is a quiet one', () => {
    expect(changed(at({ NODES: '2', FORGOTTEN: 'x' }), {}).restart).toBeUndefined();
  });
});

describe('a plan that fails', () => {
  const failing = (failures: number): InstanceStatus => {
    const begun = changed(at({}), { NODES: '2' });
    const steps = [{ name: 's', status: 'ERROR' }];
    const deploy = { name: 'deploy', status: 'IN_PROGRESS', phases: [{ name: 'p', status: 'IN_PROGRESS', steps }] };
    const { execution } = begun;
    if (!execution) return expect.fail('nothing begins');
    return { ...begun, execution: { ...execution, failures }, planStatus: { ...begun.planStatus, deploy } };
  };
  const other = (failures: number): InstanceStatus => changed(failing(failures), { NODES: '2', NOTE: 'x' });

  it('is not given up for another at once: a lost request would cost a change', () => {
    expect(other(1)).toMatchObject({ execution: { plan: 'deploy' }, conditions: expect.arrayContaining([waiting]) });
    expect(other(3).execution?.plan).toBe('deploy');
  });

  it('gives way to another when it has failed again and again', () => {
    expect(other(4)).toMatchObject({
      execution: { plan: 'note' },
      history: [{ plan: 'deploy', outcome: 'SUPERSEDED' }],
    });
  });
});

const waiting = expect.objectContaining({ type: 'Waiting', status: 'True' });
