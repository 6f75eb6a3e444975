import { describe, expect, it } from 'vitest';
import { newRoute } from './route.ts';

const relationships = { domain: { data: { guid: 'd' } }, space: { data: { guid: 's' } } };
const complaint = (address: object): string | undefined =>
  newRoute.safeParse({ ...address, relationships }).error?.issues[0]?.message;

describe('a new route', () => {
  it.each([
    [{}],
    [{ host: null, path: null }],
    [{ host: 'a', path: '' }],
    [{ host: 'A-1', path: '/a/b' }],
    [{ host: '*' }],
  ])('may be %j', (address) => expect(complaint(address)).toBeUndefined());

  it.each(['-x-', 'a_b', 'a.b', 'a b', 'a'.repeat(64), '**', 'a\n'])('has no host that nothing serves: %j', (host) => {
    expect(complaint({ host })).toMatch(/^Host must be/);
  });

  it.each(['x', '/', '/a/../b', '/./a', '/x#y', '/a?b', '/a b', '//a', '/a\u0000', '/\u007f', `/${'a'.repeat(128)}`])(
    'has no path that nothing serves: %j',
    (path) => expect(complaint({ host: 'a', path })).toBe('Invalid Route URI'),
  );
});
