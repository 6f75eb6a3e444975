import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../clock/virtual.ts';
import type { Request, Response } from '../kube/transport.ts';
import { classify, metered } from './metered.ts';
import { createMetrics } from './metrics.ts';

describe('a request in RBAC words', () => {
  it.each<[Request['method'], string, string, string]>([
    ['GET', '/api/v1/pods?limit=500', 'list', 'pods'],
    ['GET', '/api/v1/namespaces/a/pods/x', 'get', 'pods'],
    ['GET', '/api/v1/namespaces/a', 'get', 'namespaces'],
    ['GET', '/api/v1/namespaces', 'list', 'namespaces'],
    ['GET', '/apis/apps/v1/deployments?watch=true&x=1', 'watch', 'deployments.apps'],
    ['PUT', '/apis/toy.dev/v1/namespaces/a/lamps/x/status', 'update', 'lamps.toy.dev/status'],
    ['POST', '/api/v1/namespaces/a/pods/x/eviction', 'create', 'pods/eviction'],
    ['DELETE', '/apis/apps/v1/namespaces/a/deployments', 'deletecollection', 'deployments.apps'],
    ['DELETE', '/apis/apps/v1/namespaces/a/deployments/x', 'delete', 'deployments.apps'],
    ['GET', '/version', 'get', 'none'],
    ['GET', '/apis/apps/v1', 'get', 'none'],
  ])('%s %s', (method, path, verb, resource) => {
    expect(classify({ method, path })).toEqual({ verb, resource });
  });

  it('tells an apply from a patch', () => {
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    expect(classify({ method: 'PATCH', path: '/api/v1/nodes/n', headers }).verb).toBe('apply');
    expect(classify({ method: 'PATCH', path: '/api/v1/nodes/n' }).verb).toBe('patch');
  });
});

it('counts answers by code and failures as none', async () => {
  const metrics = createMetrics({ process: false });
  const answers: (Response | Error)[] = [{ status: 409, headers: {}, body: (async function* () {})() }, new Error('x')];
  const transport = metered(
    {
      request: async () => {
        const next = answers.shift();
        if (next instanceof Error || !next) throw next;
        return next;
      },
      connect: () => Promise.reject(new Error('unused')),
      close: async () => {},
    },
    metrics,
    new VirtualClock(),
  );
  await transport.request({ method: 'GET', path: '/api/v1/pods' });
  await expect(transport.request({ method: 'GET', path: '/api/v1/pods' })).rejects.toThrow('x');
  const { text } = await metrics.page();
  expect(text).toContain('cutover_api_calls_total{verb="list",resource="pods",code="409"} 1');
  expect(text).toContain('cutover_api_calls_total{verb="list",resource="pods",code="none"} 1');
});
