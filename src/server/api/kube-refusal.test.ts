import { describe, expect, it } from 'vitest';
import { KubeError, type KubeErrorKind } from '../../kube/error.ts';
import { kubeRefusal } from './kube-refusal.ts';

describe('kubeRefusal', () => {
  it.each<[KubeErrorKind, string, number, string]>([
    ['unauthorized', 'x', 401, 'Log in again'],
    ['forbidden', 'no role', 403, 'You may not restart it: no role'],
    ['conflict', 'x', 409, 'It changed while you looked'],
    ['refused', 'testing value /metadata/uid failed', 409, 'It changed while you looked'],
    ['refused', 'spec.speed: must be at least 0', 422, 'refused to restart it: spec.speed'],
    ['exists', 'x', 422, 'refused to restart it'],
    ['not-found', 'x', 404, 'not there any more'],
    ['throttled', 'x', 503, 'Try again in a moment'],
    ['unreachable', 'x', 502, 'it may be done or not'],
    ['server', 'x', 502, 'it may be done or not'],
  ])('%s, %s', (kind, message, status, words) => {
    expect(kubeRefusal(new KubeError(kind, message), 'restart it')).toMatchObject({
      status,
      message: expect.stringContaining(words),
    });
  });

  it('leaves what is a bug as it is', () => {
    const bug = new TypeError('x');
    expect(kubeRefusal(bug, 'restart it')).toBe(bug);
  });
});
