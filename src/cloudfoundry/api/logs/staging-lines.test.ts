import { describe, expect, it } from 'vitest';
import type { CfBuild } from '../../resources/cf-build.ts';
import { stagingLines } from './staging-lines.ts';

const build = (status?: CfBuild['status']): CfBuild => ({
  apiVersion: 'korifi.cloudfoundry.org/v1alpha1',
  kind: 'CFBuild',
  metadata: { name: 'b', creationTimestamp: '2030-01-01T00:00:00Z' },
  spec: { packageRef: { name: 'p' }, appRef: { name: 'a' }, lifecycle: { type: 'docker' } },
  ...(status && { status }),
});
const condition = (type: string, message: string) => ({
  type,
  status: 'True' as const,
  reason: 'R',
  message,
  lastTransitionTime: '2030-01-01T00:00:00Z',
});
const told = (status?: CfBuild['status']) =>
  stagingLines(build(status)).map(({ kind, payload }) => `${kind} ${payload}`);

describe('what a build says', () => {
  it('is that it has begun', () => expect(told()).toEqual(['OUT Staging the image (build b)']));

  it('is what came of it', () => {
    const droplet = { registry: { image: 'r/app:1' }, ports: [8080] };
    expect(told({ state: 'STAGED', droplet, conditions: [condition('Succeeded', '')] }).at(-1)).toBe(
      'OUT Staging complete: r/app:1, listens on 8080',
    );
  });

  it('is why it failed', () => {
    expect(told({ state: 'FAILED', conditions: [condition('Succeeded', 'no such image')] }).at(-1)).toBe(
      'ERR Staging failed: no such image',
    );
  });

  it('is what it waits for, in order also within one second', () => {
    const lines = stagingLines(build({ state: 'STAGED', conditions: [condition('Staging', 'waits for a builder')] }));
    expect(lines.map(({ payload }) => String(payload))[1]).toBe('waits for a builder');
    const times = lines.map(({ time }) => time);
    expect(times).toEqual(times.toSorted((a, b) => Number(a - b)));
    expect(new Set(times).size).toBe(3);
  });
});
