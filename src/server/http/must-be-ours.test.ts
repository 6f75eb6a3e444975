import { describe, expect, it } from 'vitest';
import type { Asked } from './asked.ts';
import { isLoopbackAddress, isLoopbackHost } from './loopback.ts';
import { mustBeOurs } from './must-be-ours.ts';

const asked = (method: string, path: string, headers: Readonly<Record<string, string>>): Asked => ({
  method,
  path,
  query: new URLSearchParams(),
  header: (name) => headers[name],
  address: '127.0.0.1',
  secure: false,
  body: async () => '',
  left: new AbortController().signal,
});

describe('mustBeOurs', () => {
  const host = 'localhost:8090';

  it('lets in what our own pages and command lines send', () => {
    for (const headers of [
      { host },
      { host, origin: 'http://localhost:8090', 'sec-fetch-site': 'same-origin' },
      { host, 'sec-fetch-site': 'none' },
    ]) {
      expect(() => mustBeOurs(asked('POST', '/api/do', headers), true)).not.toThrow();
    }
    expect(() => mustBeOurs(asked('GET', '/', { host, 'sec-fetch-site': 'cross-site' }), true)).not.toThrow();
  });

  it('refuses what pages of others send', () => {
    for (const headers of [
      { host, origin: 'http://localhost:8091' },
      { host, origin: 'null' },
      { host, origin: 'http://localhost:8090.evil.example' },
      { host, 'sec-fetch-site': 'same-site' },
      { host, 'sec-fetch-site': 'cross-site' },
    ]) {
      expect(() => mustBeOurs(asked('POST', '/api/do', headers), true), JSON.stringify(headers)).toThrow(
        'another site',
      );
      expect(() => mustBeOurs(asked('GET', '/api/stream', headers), true)).toThrow('another site');
    }
  });

  it('refuses names of others that lead to this machine, when it is for this machine only', () => {
    const rebound = asked('GET', '/', { host: 'evil.example:8090' });
    expect(() => mustBeOurs(rebound, true)).toThrow('this machine only');
    expect(() => mustBeOurs(asked('GET', '/', {}), true)).toThrow('this machine only');
    expect(() => mustBeOurs(rebound, false)).not.toThrow();
  });
});

describe('loopback', () => {
  it('is told by names and addresses', () => {
    const ours = ['localhost', 'LOCALHOST:80', '127.0.0.1:8090', '127.9.9.9', '[::1]:80', 'a.localhost'];
    const others = [
      '',
      'localhost.evil.example',
      '127.0.0.1.nip.io',
      '128.0.0.1',
      '[::2]:80',
      'x127.0.0.1',
      '127.0.0.1@evil',
    ];
    expect(ours.filter((host) => !isLoopbackHost(host))).toEqual([]);
    expect(others.filter((host) => isLoopbackHost(host))).toEqual([]);
    expect(['::1', '127.0.0.1', '::ffff:127.0.0.1'].every(isLoopbackAddress)).toBe(true);
    expect(['10.0.0.1', '::ffff:10.0.0.1', '', 'localhost'].some(isLoopbackAddress)).toBe(false);
  });
});
