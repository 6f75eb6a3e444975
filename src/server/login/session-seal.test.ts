import { describe, expect, it } from 'vitest';
import { SessionSeal } from './session-seal.ts';

const key = 'k'.repeat(44);
const session = { token: 'token', csrf: 'csrf', expiresAt: 7 };

describe('the seal of a session', () => {
  it('is opened by the same key for the same secret', () => {
    const text = new SessionSeal(key).seal('secret', session) ?? '';
    expect(text).toMatch(/^[\w-]+$/);
    expect(text).not.toContain('token');
    expect(new SessionSeal(`${key}\n`).open('secret', text)).toEqual(session);
  });

  it('is never the same twice', () => {
    const seal = new SessionSeal(key);
    expect(seal.seal('secret', session)).not.toBe(seal.seal('secret', session));
  });

  it.each<[what: string, secret: string, change: (text: string) => string, key: string]>([
    ['another secret', 'other', (text) => text, key],
    ['another key', 'secret', (text) => text, 'x'.repeat(44)],
    ['a changed byte', 'secret', (text) => `${text.slice(0, 30)}${text[30] === 'A' ? 'B' : 'A'}${text.slice(31)}`, key],
    ['what was cut off', 'secret', (text) => text.slice(0, -4), key],
    ['nothing', 'secret', () => '', key],
    ['too much', 'secret', (text) => text.repeat(100), key],
  ])('is not opened for %s', (_, secret, change, other) => {
    const text = new SessionSeal(key).seal('secret', session) ?? '';
    expect(new SessionSeal(other).open(secret, change(text))).toBeUndefined();
  });

  it('is not made for a token that no cookie holds', () => {
    expect(new SessionSeal(key).seal('secret', { ...session, token: 't'.repeat(4_000) })).toBeUndefined();
  });

  it('takes no key that could be guessed', () => {
    expect(() => new SessionSeal('short\n')).toThrow(/at least 32 bytes; make one with: openssl rand -base64 32/);
  });
});
