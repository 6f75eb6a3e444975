import { describe, expect, it } from 'vitest';
import { pathOf, type Route, routeOf, watchedIn } from './route.ts';

describe('addresses', () => {
  it.each<[string, string, Route]>([
    ['/', '', { at: 'fleet', query: '' }],
    ['/', '?q=orders&only=needs', { at: 'fleet', query: 'q=orders&only=needs' }],
    ['/login', '', { at: 'login' }],
    ['/w/Instance/default/ledger', '', { at: 'workload', id: 'Instance/default/ledger' }],
    ['/w/Instance/default/ledger/graph', '', { at: 'graph', id: 'Instance/default/ledger' }],
    ['/w/Instance/default', '', { at: 'nowhere', path: '/w/Instance/default' }],
    ['/w/Instance/default/ledger/shell', '', { at: 'nowhere', path: '/w/Instance/default/ledger/shell' }],
    ['/settings', '', { at: 'nowhere', path: '/settings' }],
  ])('%s%s', (path, query, route) => {
    expect(routeOf(path, query)).toEqual(route);
    expect(pathOf(route)).toBe(path + query);
  });

  it('survive names that are not fit for a path', () => {
    const route: Route = { at: 'workload', id: 'CFApp/a b/ü?#' };
    expect(pathOf(route)).toBe('/w/CFApp/a%20b/%C3%BC%3F%23');
    expect(routeOf(pathOf(route))).toEqual(route);
    expect(routeOf('/w/CFApp/default/%E0%A4%A')).toEqual({ at: 'workload', id: 'CFApp/default/%E0%A4%A' });
  });

  it('do not look like files', () => {
    expect(pathOf({ at: 'workload', id: 'Instance/default/ledger.v2' })).toBe('/w/Instance/default/ledger%2Ev2');
    expect(routeOf('/w/Instance/default/ledger%2Ev2')).toEqual({ at: 'workload', id: 'Instance/default/ledger.v2' });
  });

  it('say which workload to watch', () => {
    expect(watchedIn({ at: 'graph', id: 'a/b/c' })).toBe('a/b/c');
    expect(watchedIn({ at: 'workload', id: 'a/b/c' })).toBe('a/b/c');
    expect(watchedIn({ at: 'fleet', query: '' })).toBeUndefined();
  });
});
