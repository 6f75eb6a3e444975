import { describe, expect, it } from 'vitest';
import type { CfDomain } from './resources/cf-domain.ts';
import type { CfRoute } from './resources/cf-route.ts';
import { address, addressKey } from './route-address.ts';

const domain = { spec: { name: 'Apps.Example' } } as CfDomain;
const route = (spec: object): CfRoute => ({ metadata: { namespace: 'space' }, spec }) as CfRoute;

describe('the address of a route', () => {
  it.each<[object, object]>([
    [{ host: 'Web' }, { fqdn: 'web.apps.example', path: '/', uri: 'web.apps.example' }],
    [{ host: '' }, { fqdn: 'apps.example', path: '/', uri: 'apps.example' }],
    [{}, { fqdn: 'apps.example', path: '/', uri: 'apps.example' }],
    [{ host: '*' }, { fqdn: '*.apps.example', path: '/', uri: '*.apps.example' }],
    [
      { host: 'a', path: '/Cart/x' },
      { fqdn: 'a.apps.example', path: '/Cart/x', uri: 'a.apps.example/Cart/x' },
    ],
  ])('of %j is %j', (spec, expected) => {
    expect(address(route(spec), domain)).toEqual(expected);
  });

  it.each<[object]>([
    [{ host: 'in valid' }],
    [{ host: 'a_b' }],
    [{ host: '-a' }],
    [{ host: 'a'.repeat(64) }],
    [{ host: 'a.*' }],
    [{ host: 'a', path: 'x' }],
    [{ host: 'a', path: '/' }],
    [{ host: 'a', path: '/a?b' }],
    [{ host: 'a', path: '//a' }],
    [{ host: 'a', path: '/a/../b' }],
    [{ host: 'a', path: `/${'a'.repeat(128)}` }],
  ])('of %j is none, and says why', (spec) => {
    expect(address(route(spec), domain)).toEqual({ problem: expect.stringMatching(/cannot be/) });
  });

  it('is the same for two routes whatever the case of what they name', () => {
    const domainRef = { name: 'd', namespace: 'cf' };
    expect(addressKey(route({ host: 'A', path: '/B', domainRef }))).toBe(
      addressKey(route({ host: 'a', path: '/b', domainRef })),
    );
    expect(addressKey(route({ host: 'a', domainRef }))).not.toBe(
      addressKey(route({ host: 'a', domainRef: { name: 'e' } })),
    );
  });
});
