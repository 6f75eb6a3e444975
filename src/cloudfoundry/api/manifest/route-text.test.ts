import { describe, expect, it } from 'vitest';
import { hostOf, isRouteText, routeParts, routeUrl } from './route-text.ts';

const domains = [
  { guid: 'd1', name: 'example.com' },
  { guid: 'd2', name: 'apps.example.com' },
];

describe('the text of a route', () => {
  it('is host, domain and path', () => {
    expect(routeParts('Web.example.com/v1/x', domains)).toEqual({ host: 'web', domain: domains[0], path: '/v1/x' });
  });

  it('belongs to the longest domain that fits', () => {
    expect(routeParts('a.apps.example.com', domains)).toEqual({ host: 'a', domain: domains[1], path: '' });
    expect(routeParts('a.b.apps.example.com', domains)).toEqual({ host: 'a.b', domain: domains[1], path: '' });
  });

  it('may be a bare domain, which is not a part of a longer name', () => {
    expect(routeParts('example.com', domains)).toEqual({ host: '', domain: domains[0], path: '' });
    expect(routeParts('notexample.com', domains)).toBeUndefined();
  });

  it('takes a slash alone for no path, and steps over the scheme', () => {
    expect(routeParts('https://x.example.com/', domains)).toEqual({ host: 'x', domain: domains[0], path: '' });
  });

  it.each([
    '',
    'web',
    'web.example.com?x=1',
    'web .example.com',
    '-.example.com',
    'a..b',
    `${'a'.repeat(600)}.com`,
    `${'a'.repeat(64)}.example.com`,
    'web.example.com/a/../b',
    'web.example.com//a',
    'web.example.com/a\u0001',
    `web.example.com/${'a'.repeat(128)}`,
  ])('cannot be %j', (text) => expect(isRouteText(text)).toBe(false));

  it.each(['*.example.com', 'web.example.com/', 'web.example.com/a/b'])('can be %j', (text) =>
    expect(isRouteText(text)).toBe(true),
  );

  it('is shown as it is compared', () => {
    expect(routeUrl({ host: 'a', domain: 'b.c', path: '/d' })).toBe('a.b.c/d');
    expect(routeUrl({ host: '', domain: 'b.c', path: '' })).toBe('b.c');
  });
});

describe('the host of an app', () => {
  it.each([
    ['web1', 'web1'],
    ['My_App', 'my-app'],
    ['-x-', 'x'],
    [`${'a'.repeat(62)}-b`, 'a'.repeat(62)],
    ['___', ''],
  ])('of %j is %j', (name, host) => expect(hostOf(name)).toBe(host));
});
