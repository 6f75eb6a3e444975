import { describe, expect, it } from 'vitest';
import { annotations } from '../../keys.ts';
import type { CfApp } from '../../resources/cf-app.ts';
import type { CfProcess } from '../../resources/cf-process.ts';
import { instancesOf, uptime } from './instances.ts';

function app(desiredState: 'STARTED' | 'STOPPED' = 'STARTED'): CfApp {
  return {
    apiVersion: 'korifi.cloudfoundry.org/v1alpha1',
    kind: 'CFApp',
    metadata: { name: 'app', annotations: { [annotations.appRev]: '2' } },
    spec: { displayName: 'app', desiredState, lifecycle: { type: 'docker' } },
  };
}

function process(
  desiredInstances: number | undefined,
  status?: CfProcess['status'],
): Pick<CfProcess, 'metadata' | 'spec' | 'status'> {
  const spec = {
    appRef: { name: 'app' },
    processType: 'web',
    ...(desiredInstances !== undefined && { desiredInstances }),
  };
  return { metadata: { generation: 3 }, spec, ...(status && { status }) };
}

const running = { state: 'RUNNING', timestamp: '2026-11-01T10:00:00Z' } as const;

describe('instances', () => {
  it('are as many as are wanted, whatever is known of them', () => {
    expect(instancesOf(process(3), app()).map(({ state }) => state)).toEqual(Array(3).fill('STARTING'));
    expect(instancesOf(process(undefined), app())).toHaveLength(1);
    expect(instancesOf(process(0), app())).toEqual([]);
    const many = { observedAppRev: '2', instancesStatus: { 0: running, 1: running, 2: running } };
    expect(instancesOf(process(2, many), app())).toHaveLength(2);
  });

  it('do not run because another revision does', () => {
    const before = { observedAppRev: '1', instancesStatus: { 0: running } };
    expect(instancesOf(process(1, before), app())).toEqual([{ index: 0, state: 'STARTING' }]);
    // A status from before revisions were recorded says nothing of this one.
    expect(instancesOf(process(1, { instancesStatus: { 0: running } }), app())[0]?.state).toBe('STARTING');
  });

  it('are what the status of their own revision says', () => {
    const status = {
      observedAppRev: '2',
      instancesStatus: {
        0: running,
        1: { state: 'CRASHED', details: 'exit 1' },
        2: { state: 'RUNNING', timestamp: 'x' },
      },
    } as const;
    expect(instancesOf(process(4, status), app())).toEqual([
      { index: 0, state: 'RUNNING', since: Date.parse(running.timestamp) },
      { index: 1, state: 'CRASHED', details: 'exit 1' },
      { index: 2, state: 'RUNNING' },
      { index: 3, state: 'STARTING' },
    ]);
  });

  it('show canaries beyond those that are wanted, once the status speaks of the present number', () => {
    const waits = { state: 'STARTING', details: 'revision 1 still serves here' } as const;
    const status = { observedAppRev: '2', instancesStatus: { 0: waits, 1: running } };
    const shown = instancesOf(process(1, { ...status, observedGeneration: 3 }), app());
    expect(shown.map(({ index, state }) => [index, state])).toEqual([
      [0, 'STARTING'],
      [1, 'RUNNING'],
    ]);
    expect(instancesOf(process(1, { ...status, observedGeneration: 2 }), app())).toHaveLength(1);
  });

  it('are none when the app is stopped', () => {
    const status = { observedAppRev: '2', instancesStatus: { 0: running } };
    expect(instancesOf(process(1, status), app('STOPPED'))).toEqual([]);
  });

  it('have run for no time at all when clocks disagree', () => {
    const instance = { index: 0, state: 'RUNNING', since: 10_000 } as const;
    expect([uptime(instance, 12_900), uptime(instance, 5000), uptime({ index: 0, state: 'RUNNING' }, 5000)]).toEqual([
      2, 0, 0,
    ]);
  });
});
