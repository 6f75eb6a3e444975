import { describe, expect, it } from 'vitest';
import { targetOf } from './target.ts';

const pods = { type: 'resource', group: '', version: 'v1', plural: 'pods', subresource: '', rest: '', watch: false };

describe('a path', () => {
  it.each([
    ['/api/v1/pods', { ...pods, namespace: '', name: '' }],
    ['/api/v1/pods/', { ...pods, namespace: '', name: '' }],
    ['/api/v1/namespaces/a/pods', { ...pods, namespace: 'a', name: '' }],
    ['/api/v1/namespaces/a/pods/p', { ...pods, namespace: 'a', name: 'p' }],
    ['/api/v1/namespaces/a/pods/p/log', { ...pods, namespace: 'a', name: 'p', subresource: 'log' }],
    ['/api/v1/watch/namespaces/a/pods', { ...pods, namespace: 'a', name: '', watch: true }],
    [
      '/api/v1/namespaces/a/pods/p:80/proxy/x/y%2Fz/',
      { ...pods, namespace: 'a', name: 'p:80', subresource: 'proxy', rest: 'x/y%2Fz/' },
    ],
    ['/api/v1/namespaces', { ...pods, plural: 'namespaces', namespace: '', name: '' }],
    ['/api/v1/namespaces/a', { ...pods, plural: 'namespaces', namespace: 'a', name: 'a' }],
    [
      '/api/v1/namespaces/a/status',
      { ...pods, plural: 'namespaces', namespace: 'a', name: 'a', subresource: 'status' },
    ],
    [
      '/apis/apps/v1/namespaces/a/deployments/d/scale',
      { ...pods, group: 'apps', plural: 'deployments', namespace: 'a', name: 'd', subresource: 'scale' },
    ],
    [
      '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node',
      {
        ...pods,
        group: 'rbac.authorization.k8s.io',
        plural: 'clusterroles',
        namespace: '',
        name: 'system:node',
      },
    ],
  ])('%s names a resource', (path, target) => {
    expect(targetOf(path)).toEqual(target);
  });

  it.each(['/', '/api', '/apis', '/apis/apps', '/apis/apps/v1', '/healthz', '/openapi/v3/apis/apps/v1', '/api/v1/'])(
    '%s is about the server itself',
    (path) => {
      expect(targetOf(path)).toEqual({ type: 'path', path });
    },
  );

  it('with a broken escape is refused', () => {
    expect(() => targetOf('/api/v1/pods/%zz')).toThrow(/invalid URL escape/);
  });
});
