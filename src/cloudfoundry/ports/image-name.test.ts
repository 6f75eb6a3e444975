import { describe, expect, it } from 'vitest';
import { imageName, originOf } from './image-name.ts';

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

describe('the name of an image', () => {
  it.each([
    ['busybox', 'docker.io', 'library/busybox', 'latest'],
    ['busybox:1.36', 'docker.io', 'library/busybox', '1.36'],
    ['team/app', 'docker.io', 'team/app', 'latest'],
    ['docker.io/team/app:2', 'docker.io', 'team/app', '2'],
    ['registry.example/app:1', 'registry.example', 'app', '1'],
    ['registry.example:5000/a/b/c', 'registry.example:5000', 'a/b/c', 'latest'],
    ['localhost/app', 'localhost', 'app', 'latest'],
    [`registry.example/app@${digest}`, 'registry.example', 'app', digest],
    [`registry.example/app:1@${digest}`, 'registry.example', 'app', digest],
    ['[::1]:5000/app:1', '[::1]:5000', 'app', '1'],
  ])('reads %s', (text, host, repository, reference) => {
    expect(imageName(text)).toEqual({ host, repository, reference });
  });

  it.each([
    '',
    'UPPER',
    'registry.example/',
    'registry.example/app:',
    'registry.example/app@sha256:12',
    `app@${digest}@${digest}`,
    'registry.example/../etc',
    'registry.example/app?x=1',
    'user:pass@registry.example/app',
    'registry.example/app:1#fragment',
    `registry.example/${'a'.repeat(600)}`,
  ])('does not take %j for one', (text) => {
    expect(imageName(text)).toBeUndefined();
  });

  it.each([
    ['registry.example', 'https://registry.example'],
    ['docker.io', 'https://registry-1.docker.io'],
    ['localhost:5000', 'http://localhost:5000'],
    ['127.0.0.1:5000', 'http://127.0.0.1:5000'],
    ['localhost.example', 'https://localhost.example'],
  ])('speaks to %s at %s', (host, origin) => {
    expect(originOf(host)).toBe(origin);
  });
});
