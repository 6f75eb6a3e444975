import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../kube/object.ts';
import { followed } from './news.ts';

/** What is told of an object of this kind. */
function told(kind: string, status: object | undefined, labels: Readonly<Record<string, string>> = {}) {
  const { type, state } = followed.find((one) => one.type.kind === kind) ?? expect.fail(`${kind} is not followed`);
  const object: AnyObject = {
    apiVersion: 'flink.apache.org/v1beta1',
    kind: type.kind,
    metadata: { name: 'orders', labels },
    ...(status && { status }),
  };
  return state(object);
}

const available = [{ type: 'Available', status: 'True' }];
const serving = { color: 'BLUE' };

describe('what is told of a blue/green deployment', () => {
  it.each([
    ['nothing before it has a state', undefined, undefined],
    ['its state, before anybody serves', { blueGreenState: 'INITIALIZING_BLUE' }, 'INITIALIZING_BLUE'],
    ['who serves', { blueGreenState: 'ACTIVE_BLUE', serving, conditions: available }, 'ACTIVE_BLUE, blue serves'],
    [
      'that nobody serves',
      { blueGreenState: 'ACTIVE_BLUE', serving, conditions: [{ type: 'Available', status: 'False' }] },
      'ACTIVE_BLUE, blue does not serve',
    ],
    [
      'what a person may say',
      {
        blueGreenState: 'TRANSITIONING_TO_GREEN',
        serving,
        conditions: [...available, { type: 'Reconciling', status: 'True', message: 'green waits.' }],
        transition: { phase: 'verifying' },
      },
      'TRANSITIONING_TO_GREEN, blue serves: green waits.',
    ],
    [
      'no phase that passes',
      { blueGreenState: 'SAVEPOINTING_BLUE', serving, conditions: available, transition: { phase: 'savepointing' } },
      'SAVEPOINTING_BLUE, blue serves',
    ],
  ])('is %s', (_, status, text) => {
    expect(told('FlinkBlueGreenDeployment', status)).toBe(text);
  });
});

describe('what is told of a FlinkDeployment', () => {
  const status = {
    lifecycleState: 'UPGRADING',
    jobStatus: { state: 'RUNNING' },
    transition: { phase: 'suspending' },
  };

  it('is its lifecycle, what is done, and its job', () => {
    expect(told('FlinkDeployment', status)).toBe('UPGRADING (suspending), its job RUNNING');
    expect(told('FlinkDeployment', undefined)).toBeUndefined();
  });

  it('is only its lifecycle when it is a side of a blue/green deployment', () => {
    expect(told('FlinkDeployment', status, { 'flink/blue-green-deployment-type': 'GREEN' })).toBe('UPGRADING');
  });
});

describe('what is told of a snapshot', () => {
  it('is where it lies, once it does', () => {
    expect(told('FlinkStateSnapshot', { state: 'IN_PROGRESS' })).toBeUndefined();
    expect(told('FlinkStateSnapshot', { state: 'COMPLETED', path: 's3://x/savepoint-1' })).toBe(
      'in s3://x/savepoint-1',
    );
  });
});
