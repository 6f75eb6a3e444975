import { describe, expect, it } from 'vitest';
import { SessionCookie } from './cookie.ts';

describe('SessionCookie', () => {
  const plain = new SessionCookie({ secure: false, port: () => 8090 });
  const secure = new SessionCookie({ secure: true, port: () => 8090 });

  it('is kept from scripts and other sites, and over TLS from other hosts', () => {
    expect(plain.write('s')).toBe('cutover-8090=s; Path=/; HttpOnly; SameSite=Strict');
    expect(secure.write('s')).toBe('__Host-cutover-8090=s; Path=/; HttpOnly; SameSite=Strict; Secure');
    expect(secure.clear()).toMatch(/^__Host-cutover-8090=; Max-Age=0; .*Secure$/);
  });

  it('is found among others, and not under another name', () => {
    expect(plain.read('a=b; cutover-8090=x=y ;c')).toBe('x=y');
    for (const header of [undefined, '', 'cutover-8091=x', 'xcutover-8090=x', '__Host-cutover-8090=x', '=x', ';;;']) {
      expect(plain.read(header), header).toBeUndefined();
    }
  });
});
