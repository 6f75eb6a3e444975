import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { annotations, labels } from '../../../src/cloudfoundry/keys.ts';
import { appWorkload } from '../../../src/cloudfoundry/resources/app-workload.ts';
import { runnerInfo } from '../../../src/cloudfoundry/resources/runner-info.ts';
import { annotations as control } from '../../../src/control/annotations.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { process, RunnerStage, type Running, space } from './runner-stage.ts';

let stage: RunnerStage;
let operator: Running;

beforeEach(async () => {
  stage = await RunnerStage.open();
  operator = stage.start();
});

afterEach(async () => {
  await operator.stop();
  await stage[Symbol.asyncDispose]();
});

async function running(instances: number): Promise<void> {
  await stage.push('web', { instances });
  await stage.until('it runs', () => stage.runs('web', '0'));
  // The Service learns of the last instance.
  await stage.clock.advance(1000);
}

const versions = (): readonly (string | undefined)[] =>
  stage.pods().map(({ metadata }) => metadata.labels?.[labels.version]);

describe('the runner', () => {
  it('says that it rolls', async () => {
    const info = () => stage.embedded.world.get(runnerInfo.type, 'cf', 'statefulset-runner');
    await stage.until('said', () => info()?.status !== undefined);
    expect(info()?.status).toMatchObject({ capabilities: { rollingDeploy: true }, conditions: [{ reason: 'Ready' }] });
  });

  it('runs a workload, and writes nothing when nothing changes', async () => {
    await running(2);
    const { status } = stage.workload('web');
    expect(status).toMatchObject({ actualInstances: 2, observedAppRev: '0' });
    expect(status?.instancesStatus?.['1']).toMatchObject({ state: 'RUNNING', timestamp: expect.any(String) });
    expect(stage.list(kinds.podDisruptionBudgets)).toHaveLength(1);
    const before = stage.writes.length;
    await stage.clock.advance(11 * 3_600_000);
    expect(stage.writes.slice(before)).toEqual([]);
  });

  it.each([
    [1, 1],
    [3, 2],
  ])('replaces %i instances, %i at once, without losing a request', async (instances, maxInFlight) => {
    await running(instances);
    const [before, set] = [Object.values(stage.uids()), stage.sets()[0]?.metadata.uid];
    await stage.edit('web', { version: '1', rollout: { maxInFlight } });
    await stage.underLoad('rolled', () => stage.runs('web', '1'));
    expect(stage.sets().map(({ metadata }) => metadata.uid)).toEqual([set]);
    await stage.until('the extra ones are gone', () => stage.pods().length === instances);
    expect(Object.values(stage.uids()).filter((uid) => before.includes(uid))).toEqual([]);
    await stage.underLoad('the old ones have ended', () => stage.list(kinds.pods).length === instances);
  });

  it('keeps the old instances while an image cannot be pulled, says why, and goes back without restarting any', async () => {
    await running(2);
    const before = stage.uids();
    await stage.edit('web', { version: '1', image: 'registry.invalid/app:2', rollout: { maxInFlight: 2 } });
    await stage.underLoad('it is told', () => stage.workload('web').status?.error !== undefined);
    expect(stage.workload('web').status).toMatchObject({
      observedAppRev: '0',
      error: expect.stringMatching(/^instance 2: ErrImagePull: .*lookup registry.invalid: no such host$/),
    });
    expect(stage.ready('web')).toBe('False RollingOut');
    await stage.edit('web', { version: '0', image: 'rig.local/app:1', rollout: null });
    await stage.underLoad('it is back', () => stage.runs('web', '0'));
    await stage.until('the extra ones are gone', () => stage.pods().length === 2);
    expect(stage.uids()).toEqual(before);
  });

  it('gets from a revision that crashes to one that does not at once', async () => {
    await stage.push('web', { instances: 2, env: [{ name: 'CRASH', value: '3' }] });
    await stage.until('it crashes', () => stage.workload('web').status?.instancesStatus?.['0']?.state === 'CRASHED');
    expect(stage.workload('web').status?.error).toBe('instance 0: CrashLoopBackOff: exited with code 3 (Error)');
    const from = stage.clock.now();
    await stage.edit('web', { version: '1', env: [{ name: 'PORT', value: '8080' }] });
    await stage.until('it runs', () => stage.runs('web', '1'));
    expect(stage.clock.now() - from).toBeLessThan(30_000);
  });

  it('holds a canary beside the old instances until it is to go on', async () => {
    await running(2);
    await stage.edit('web', { version: '1', rollout: { canaries: 1 } });
    await stage.underLoad('the canary runs', () => stage.workload('web').status?.canaries === 1);
    expect(versions()).toEqual(['0', '0', '1']);
    await stage.clock.advance(600_000);
    expect(versions()).toEqual(['0', '0', '1']);
    expect(stage.ready('web')).toBe('False Canary');
    await stage.edit('web', { rollout: null });
    await stage.underLoad('all run', () => stage.runs('web', '1'));
  });

  it('makes another StatefulSet after a stop, while the old one goes', async () => {
    await running(1);
    const [old] = stage.sets();
    await stage.remove('web');
    await stage.push('web-after', { version: '1' }, '1');
    await stage.until('it runs', () => stage.runs('web-after', '1') && stage.list(appWorkload.type).length === 1);
    expect(stage.sets()).toHaveLength(1);
    expect(stage.sets()[0]?.metadata.name).not.toBe(old?.metadata.name);
    await stage.until('old pods are gone', () => stage.pods().length === 1);
  });

  it('follows an edit of the number of instances in the middle of a roll', async () => {
    await running(3);
    await stage.edit('web', { version: '1', rollout: { maxInFlight: 1 } });
    await stage.underLoad('begun', () => versions().includes('1') && stage.pods().length === 4);
    await stage.edit('web', { instances: 1 });
    await stage.underLoad('rolled', () => stage.runs('web', '1'));
    await stage.until('one is left', () => stage.pods().length === 1);
    expect(stage.list(kinds.podDisruptionBudgets)).toEqual([]);
  });

  it('does not fight over a workload that another runner keeps, and takes it over without restarting anything', async () => {
    await operator.stop();
    await stage.push('web', { instances: 2, readinessProbe: undefined as never });
    const [namespace, name] = [space, 'web'];
    const template = (version: string): object => ({
      metadata: { labels: { [labels.guid]: process, [labels.version]: version, [labels.workloadGuid]: 'web' } },
      spec: { containers: [{ name: 'application', image: 'rig.local/app:1', ports: [{ containerPort: 8080 }] }] },
    });
    await stage.apply({
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'published', namespace, labels: { [labels.workloadGuid]: 'web', [labels.version]: '0' } },
      spec: {
        replicas: 2,
        podManagementPolicy: 'Parallel',
        selector: { matchLabels: { [labels.guid]: process } },
        template: template('0'),
      },
    } as KubeObject);
    const workloads = stage.person.resource(appWorkload.type);
    const body = { status: { actualInstances: 2 } };
    await workloads.status.patch({ namespace, name }, { type: 'merge', body }, { fieldManager: 'manager' });
    await stage.clock.advance(20_000);
    const before = stage.uids();
    stage.writes.length = 0;
    operator = stage.start();
    await stage.clock.advance(60_000);
    expect(stage.writes.filter((write) => write.includes('statefulsets'))).toEqual([]);
    await workloads.patch(
      { namespace, name },
      { type: 'merge', body: { metadata: { annotations: { [control.takeover]: 'true' } } } },
    );
    await stage.until('it is ours', () => stage.ready('web') === 'True Ready');
    await stage.clock.advance(60_000);
    expect(stage.writes.filter((write) => write.includes('statefulsets'))).toEqual([]);
    expect(stage.uids()).toEqual(before);
    await stage.edit('web', { version: '1', image: 'rig.local/app:2' });
    await stage.underLoad('rolled', () => stage.runs('web', '1'));
    expect(stage.sets()[0]?.metadata).toMatchObject({ name: 'published', annotations: { [annotations.version]: '1' } });
  });
});

describe('a runner that dies', () => {
  it.each([1, 2, 3, 4, 5])('of write %i of a roll leaves nothing that the next one does not finish', async (write) => {
    await running(2);
    operator.dieAt(write);
    await stage.edit('web', { version: '1', rollout: { maxInFlight: 1 } });
    await stage.underLoad('it has died', () => operator.dead);
    operator = stage.start();
    await stage.underLoad('rolled', () => stage.runs('web', '1'));
    expect(versions().every((version) => version === '1')).toBe(true);
  });
});
