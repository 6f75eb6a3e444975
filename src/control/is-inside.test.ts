import { describe, expect, it } from 'vitest';
import { isInside } from './is-inside.ts';

describe('a host', () => {
  it.each<[string, readonly string[], boolean]>([
    ['10.0.0.5', [], true],
    ['[fd00::1]', [], true],
    ['8.8.8.8', [], false],
    ['inside.example', ['10.0.0.5', 'fd00::1'], true],
    ['both.example', ['10.0.0.5', '8.8.8.8'], false],
    ['outside.example', ['8.8.8.8'], false],
    ['nowhere.example', [], false],
  ])('%s that stands for %j is inside: %s', async (host, addresses, expected) => {
    const resolve = async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    expect(await isInside(host, resolve)).toBe(expected);
  });

  it('whose name cannot be asked about is not', async () => {
    expect(await isInside('registry.example', () => Promise.reject(new Error('no resolver')))).toBe(false);
  });
});
