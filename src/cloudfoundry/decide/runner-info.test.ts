import { describe, expect, it } from 'vitest';
import type { RunnerInfo } from '../resources/runner-info.ts';
import { decideRunnerInfo } from './runner-info.ts';

const info = (runnerName: string, status?: RunnerInfo['status']): RunnerInfo => ({
  apiVersion: 'korifi.cloudfoundry.org/v1alpha1',
  kind: 'RunnerInfo',
  metadata: { name: runnerName, namespace: 'cf', uid: 'uid', resourceVersion: '1', generation: 1 },
  spec: { runnerName },
  ...(status && { status }),
});

const decide = (object: RunnerInfo) =>
  decideRunnerInfo({ info: object, runnerName: 'statefulset-runner', now: 0, outcomes: {} });

describe('a RunnerInfo', () => {
  it('says that our runner rolls, once', () => {
    const [action] = decide(info('statefulset-runner')).actions;
    const status = action?.do === 'status' ? action.status : expect.fail('no status');
    expect(status).toMatchObject({ capabilities: { rollingDeploy: true }, conditions: [{ status: 'True' }] });
    expect(decide(info('statefulset-runner', status as RunnerInfo['status'])).actions).toEqual([]);
  });

  it('of another runner is not ours to fill in', () => {
    expect(decide(info('other')).actions).toEqual([]);
  });
});
