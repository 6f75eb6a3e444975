import { describe, expect, it } from 'vitest';
import { pullSecret, registryOf } from './docker-credentials.ts';

describe('the registry of an image', () => {
  it.each([
    ['nginx', 'https://index.docker.io/v1/'],
    ['library/nginx:1', 'https://index.docker.io/v1/'],
    ['docker.io/library/nginx', 'https://index.docker.io/v1/'],
    ['ghcr.io/team/app:1', 'ghcr.io'],
    ['localhost/app', 'localhost'],
    ['registry:5000/app@sha256:00', 'registry:5000'],
  ])('of %s is %s', (image, registry) => expect(registryOf(image)).toBe(registry));
});

describe('the Secret of a package', () => {
  it('is what Kubernetes pulls with, and goes with the package', () => {
    const owner = { apiVersion: 'v', kind: 'CFPackage', metadata: { name: 'p', namespace: 's', uid: 'u' } };
    const secret = pullSecret(owner, { image: 'ghcr.io/a', username: 'u', password: 'p:ä' });
    expect(secret.metadata).toMatchObject({ name: 'p', namespace: 's', ownerReferences: [{ uid: 'u' }] });
    const { '.dockerconfigjson': config = '' } = secret.data as Record<string, string>;
    expect(JSON.parse(Buffer.from(config, 'base64').toString())).toEqual({
      auths: { 'ghcr.io': { username: 'u', password: 'p:ä', auth: Buffer.from('u:p:ä').toString('base64') } },
    });
  });
});
