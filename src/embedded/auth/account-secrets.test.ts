import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import { runController } from '../controllers/loop.ts';
import { namespaceContents } from '../controllers/namespace-contents.ts';
import { TestWorld } from '../controllers/test-world.ts';
import { namespaces, secrets, serviceAccounts } from '../kinds/resource-types.ts';
import { accountSecrets } from './account-secrets.ts';
import { TokenIssuer } from './token-issuer.ts';

const namespace = (name: string): AnyObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

async function start() {
  const world = new TestWorld();
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = new TokenIssuer({ key, clock: world.clock, random: world.random });
  for (const controller of [namespaceContents('CERTIFICATE')(world), accountSecrets(world, issuer, 'CERTIFICATE')]) {
    runController(world, controller);
  }
  await world.create(namespaces, namespace('shop'));
  await world.clock.advance(1000);
  return { world, issuer };
}

const account = (world: TestWorld) => world.get(serviceAccounts, 'shop', 'default') as AnyObject;

describe('a Secret for an account’s token', () => {
  const secret = (accountName: string): AnyObject => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'token',
      namespace: 'shop',
      annotations: { 'kubernetes.io/service-account.name': accountName },
    },
    type: 'kubernetes.io/service-account-token',
  });

  it('is filled with a token, the authority and the namespace', async () => {
    const { world, issuer } = await start();
    await world.create(secrets, secret('default'));
    await world.clock.advance(1000);
    const { data, metadata } = world.get(secrets, 'shop', 'token') as AnyObject & { data: Record<string, string> };
    const token = Buffer.from(data.token ?? '', 'base64').toString();
    expect(issuer.read(token)?.sub).toBe('system:serviceaccount:shop:default');
    expect(Buffer.from(data.namespace ?? '', 'base64').toString()).toBe('shop');
    expect(metadata.annotations?.['kubernetes.io/service-account.uid']).toBe(account(world).metadata.uid);
  });

  it('goes with its account', async () => {
    const { world } = await start();
    await world.create(secrets, secret('nobody'));
    await world.clock.advance(1000);
    expect(world.get(secrets, 'shop', 'token')).toBeUndefined();

    await world.create(secrets, secret('default'));
    await world.clock.advance(1000);
    await world.remove(serviceAccounts, account(world));
    await world.clock.advance(1000);
    expect(world.get(secrets, 'shop', 'token')).toBeUndefined();
  });
});
