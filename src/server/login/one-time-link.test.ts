import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../clock/virtual.ts';
import { OneTimeLink } from './one-time-link.ts';
import { tokenEnd } from './who.ts';

describe('OneTimeLink', () => {
  const setUp = () => {
    const clock = new VirtualClock();
    let count = 0;
    return { clock, link: new OneTimeLink(clock, () => `code-${count++}`) };
  };

  it('is good once, and only the newest', () => {
    const { link } = setUp();
    expect(link.use('')).toBe(false);
    const [old, code] = [link.issue(), link.issue()];
    expect([link.use(old), link.use('code'), link.use(code), link.use(code)]).toEqual([false, false, true, false]);
  });

  it('is good for ten minutes', async () => {
    const { clock, link } = setUp();
    const code = link.issue();
    await clock.advance(600_000);
    expect(link.use(code)).toBe(false);
    const next = link.issue();
    await clock.advance(599_999);
    expect(link.use(next)).toBe(true);
  });
});

describe('tokenEnd', () => {
  it('is what a token says of itself, if it says so', () => {
    const jwt = (claims: unknown): string => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`;
    expect(tokenEnd(jwt({ exp: 1_900_000_000 }))).toBe(1_900_000_000_000);
    expect(tokenEnd(jwt({ exp: 1e308 }))).toBeUndefined();
    for (const token of ['opaque', 'a.b.c', jwt({ exp: 'soon' }), jwt(null), jwt([]), '..']) {
      expect(tokenEnd(token), token).toBeUndefined();
    }
  });
});
