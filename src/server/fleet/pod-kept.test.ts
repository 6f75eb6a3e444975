import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import { podPortrait } from '../../portrait/of-pod.ts';
import { podKept } from './pod-kept.ts';

const pod = (more: object): AnyObject => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, ...more });

describe('podKept', () => {
  const whole = pod({
    spec: {
      nodeName: 'n1',
      containers: [
        { name: 'main', image: 'app:1', env: [{ name: 'PASSWORD', value: 'hunter2' }], args: ['--key=hunter2'] },
      ],
      volumes: [{ name: 'v' }],
    },
    status: {
      phase: 'Running',
      podIP: '10.0.0.1',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [{ name: 'main', ready: true, restartCount: 3, state: { running: {} }, containerID: 'x' }],
    },
  });

  it('keeps all that a portrait tells, and nothing of what containers are given', () => {
    const kept = { ...whole, ...podKept(whole) };
    expect(podPortrait(kept)).toEqual(podPortrait(whole));
    expect(JSON.stringify(podKept(whole))).not.toContain('hunter2');
  });

  it('takes any JSON for a pod', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (spec, status) => {
        const kept = podKept(pod({ spec, status }));
        expect(podKept(pod(kept))).toEqual(kept);
      }),
    );
  });
});
