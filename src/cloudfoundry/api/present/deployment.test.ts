import { describe, expect, it } from 'vitest';
import type { CfDeployment } from '../../resources/cf-deployment.ts';
import { presentDeployment } from './deployment.ts';

function canary(step: number, steps?: readonly number[]): CfDeployment {
  return {
    apiVersion: 'korifi.cloudfoundry.org/v1alpha1',
    kind: 'CFDeployment',
    metadata: { name: 'd', namespace: 'space', creationTimestamp: '2026-11-01T10:00:00Z' },
    spec: {
      appRef: { name: 'app' },
      strategy: 'canary',
      dropletRef: { name: 'droplet' },
      maxInFlight: 1,
      ...(steps && { steps: steps.map((instanceWeight) => ({ instanceWeight })) }),
      step,
    },
  };
}

describe('the steps of a canary', () => {
  const active = { value: 'ACTIVE', reason: 'DEPLOYING' } as const;

  it.each<[string, CfDeployment, number | undefined, { current: number; total: number }]>([
    ['the first', canary(1, [20, 60]), undefined, { current: 1, total: 2 }],
    ['the one that was reached', canary(2, [20, 60]), 1, { current: 1, total: 2 }],
    ['the last, after it was continued', canary(3, [20, 60]), undefined, { current: 2, total: 2 }],
    ['the only one, after it was continued', canary(2), undefined, { current: 1, total: 1 }],
    ['none before the first', canary(0), 0, { current: 1, total: 1 }],
  ])('are counted: %s', (_what, record, step, steps) => {
    const standing = step === undefined ? active : { ...active, step };
    expect(presentDeployment(record, standing, '')).toMatchObject({ status: { canary: { steps } } });
  });
});
