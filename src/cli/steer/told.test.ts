import { describe, expect, it } from 'vitest';
import { KubeError } from '../../kube/error.ts';
import { outcomeOf } from './follow.ts';
import { mending } from './told.ts';

describe('what a person is told', () => {
  it.each([
    ['unreachable', 'connect ECONNREFUSED 127.0.0.1:6443', 'kubectl cluster-info'],
    ['unauthorized', 'Unauthorized', 'kubectl auth whoami'],
    [
      'forbidden',
      'instances.kudo.dev "a" is forbidden: User "joe" cannot patch resource "instances" in API group "kudo.dev" in the namespace "bank"',
      'kubectl auth can-i patch instances.kudo.dev -n bank',
    ],
    [
      'forbidden',
      'pods is forbidden: User "joe" cannot get resource "pods/log" in API group "" at the cluster scope',
      'kubectl auth can-i get pods --subresource=log -A',
    ],
    ['forbidden', 'no', 'kubectl auth can-i --list'],
  ] as const)('%s: ends with the command that mends it', (kind, message, command) => {
    const line = mending(new KubeError(kind, message));
    expect(line).toContain(message);
    expect(line.endsWith(command)).toBe(true);
  });
});

describe('how a workload that is waited for ends', () => {
  it.each([
    ['healthy', false, 'settled'],
    ['healthy', true, undefined],
    ['suspended', false, 'settled'],
    ['degraded', false, 'failed'],
    ['degraded', true, undefined],
    ['failed', true, 'failed'],
    ['waiting', true, 'needsPerson'],
    ['paused', false, 'needsPerson'],
    ['progressing', true, undefined],
    ['unknown', false, undefined],
  ] as const)('%s, in transition %s: %s', (phase, inTransition, outcome) => {
    expect(outcomeOf({ phase, inTransition })).toBe(outcome);
  });
});
