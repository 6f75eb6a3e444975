import { describe, expect, it } from 'vitest';
import { KubeError, type KubeErrorKind } from '../../kube/error.ts';
import type { Status } from '../../kube/object.ts';
import { cfErrorOf } from './kube-trouble.ts';

const trouble = (kind: KubeErrorKind, status?: Partial<Status>) =>
  new KubeError(kind, `GET /secret/path: ${kind}`, status ? { status: status as Status } : {});

describe('what Kubernetes answers, to a client of the CF API', () => {
  it.each([
    ['not-found', 'read', 404, 10010],
    ['forbidden', 'read', 404, 10010],
    ['forbidden', 'write', 403, 10003],
    ['unauthorized', 'read', 401, 1000],
    ['exists', 'write', 422, 10016],
    ['conflict', 'write', 503, 10015],
    ['refused', 'write', 422, 10008],
    ['throttled', 'read', 503, 10015],
    ['server', 'write', 503, 10015],
    ['unreachable', 'read', 503, 10015],
    ['garbled', 'read', 503, 10015],
    ['aborted', 'read', 503, 10015],
  ] as const)('%s on a %s is %d, %d', (kind, verb, status, code) => {
    const error = cfErrorOf(trouble(kind), { verb, label: 'App' });
    expect(error).toMatchObject({ status, code });
    expect(error.detail).not.toContain('/secret/path');
  });

  it('calls things as the client does where it compares the text', () => {
    const told = (label: string) => cfErrorOf(trouble('not-found'), { verb: 'read', label }).detail;
    expect(told('App')).toBe('App not found');
    expect(told('Space')).toBe('Space not found. Ensure it exists and you have access to it.');
  });

  it('says what the server refused, field by field', () => {
    const details = { causes: [{ field: 'spec.host', message: 'Invalid value: "x"' }, { message: 'too long' }] };
    const error = cfErrorOf(trouble('refused', { details }), { verb: 'write', label: 'Route' });
    expect(error.detail).toBe('spec.host: Invalid value: "x", too long');
  });

  it.each([
    ['admission webhook "vcfapp.cutover.dev" denied the request: the name is taken', 'the name is taken'],
    ['CFApp.korifi.cloudfoundry.org "g" is invalid: spec.x: Required', 'spec.x: Required'],
  ])('leaves out who said it: %s', (message, detail) => {
    expect(cfErrorOf(trouble('refused', { message }), { verb: 'write', label: 'App' }).detail).toBe(detail);
  });

  it('shows nothing of what is nobody’s answer', () => {
    const error = cfErrorOf(new TypeError('token abc'), { verb: 'read', label: 'App' });
    expect(error).toMatchObject({ status: 500, code: 10001 });
    expect(error.detail).not.toContain('abc');
  });
});
