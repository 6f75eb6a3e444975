import { expect, it } from 'vitest';
import type { Grant } from '../../../src/control/access.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import { accessParts } from '../../../src/main/access.ts';
import { KeeperStage, place, secretName } from '../../webhooks/keeper-stage.ts';
import { type Asked, askedOf } from './asked.ts';
import { isGranted, right, rightsIn } from './granted.ts';

/** As the chart fills them in. */
const grants: readonly Grant[] = accessParts.webhooks.map((grant) => ({
  ...grant,
  ...(grant.names && {
    names: grant.names.map((name) => name.replace(/^WEBHOOK_(SERVICE|CONFIGURATION)/, place.service)),
  }),
}));

it('making certificates, and making them again, asks for all that is granted, and for nothing else', async () => {
  const stage = await KeeperStage.open();
  const asked: Asked[] = [];
  const replica = stage.replica({
    disturb: (request, send) => {
      asked.push(...askedOf(request));
      return send();
    },
  });
  await stage.until('it serves, and is trusted', () => stage.isSound(replica));
  const before = await stage.stored('tls.crt');
  const damage = { data: { 'tls.crt': Buffer.from('damaged').toString('base64') } };
  await stage.client.resource(kinds.secrets).patch(secretName, { type: 'merge', body: damage });
  await stage.until('it has made another one', async () => {
    return (await stage.stored('tls.crt')) !== before && (await stage.isSound(replica));
  });
  await stage.close();
  const lacking = asked.filter((one) => !isGranted(grants, one));
  expect([...new Set(lacking.map((one) => `${right(one)} ${one.namespace}/${one.name}`))]).toEqual([]);
  const used = new Set(asked.map(right));
  expect(rightsIn(grants).filter((one) => !used.has(one))).toEqual([]);
});
