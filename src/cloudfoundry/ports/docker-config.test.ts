import { describe, expect, it } from 'vitest';
import { registryUser } from './docker-config.ts';

const basic = (text: string): string => Buffer.from(text).toString('base64');

describe('who one is at a registry', () => {
  it('is said by auth, or by name and password', () => {
    const config = JSON.stringify({
      auths: { 'a.example': { auth: basic('ann:1') }, 'https://b.example/v2/': { username: 'bob', password: '2' } },
    });
    expect(registryUser(config, 'a.example')).toBe(basic('ann:1'));
    expect(registryUser(config, 'b.example')).toBe(basic('bob:2'));
    expect(registryUser(config, 'c.example')).toBeUndefined();
  });

  it('is found for the hub under the name that clients keep it', () => {
    const config = JSON.stringify({ auths: { 'https://index.docker.io/v1/': { auth: basic('ann:1') } } });
    expect(registryUser(config, 'docker.io')).toBe(basic('ann:1'));
    expect(registryUser(config, 'registry.example')).toBeUndefined();
  });

  it('does not take a port, or the beginning of a name, for the same registry', () => {
    const config = JSON.stringify({ auths: { 'a.example': { auth: 'x' } } });
    expect(registryUser(config, 'a.example:5000')).toBeUndefined();
    expect(registryUser(config, 'a.example.evil')).toBeUndefined();
  });

  it('is said by auth also when a tool broke it into lines, and not by what cannot be sent', () => {
    const said = (auth: string, more = {}) =>
      registryUser(JSON.stringify({ auths: { 'a.example': { auth, ...more } } }), 'a.example');
    expect(said('YW5uOj\r\nE=\n')).toBe('YW5uOjE=');
    expect(said('ann\u0000:1')).toBeUndefined();
    expect(said('ärger', { username: 'ann', password: '1' })).toBe(basic('ann:1'));
  });

  it('reads the older form without auths', () => {
    expect(registryUser(JSON.stringify({ 'a.example': { auth: 'x' } }), 'a.example')).toBe('x');
  });

  it.each(['', '{', '[]', 'null', '{"auths":3}', '{"auths":{"a.example":7}}'])('finds nobody in %j', (text) => {
    expect(registryUser(text, 'a.example')).toBeUndefined();
  });
});
