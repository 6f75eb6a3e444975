import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { usualLifetimes } from '../../src/control/webhooks/certificates/lifetimes.ts';
import { kinds } from '../../src/kube/kinds.ts';
import {
  certificatesIn,
  type Disturb,
  day,
  hour,
  KeeperStage,
  lookMs,
  noAnswer,
  place,
  secretName,
  trusts,
} from './keeper-stage.ts';

let stage: KeeperStage;
beforeEach(async () => {
  stage = await KeeperStage.open();
});
afterEach(() => stage.close());

describe('a replica that keeps certificates', () => {
  it('makes a Secret, makes both configurations trust it, and then writes nothing more', async () => {
    const replica = stage.replica();
    await stage.until('trust', () => stage.isSound(replica));
    await stage.pass(hour);
    expect(replica.writes).toEqual([
      'POST /api/v1/namespaces/default/secrets',
      'PUT /apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/hooks',
      'PUT /apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/hooks',
    ]);
    expect((await stage.secret())?.type).toBe('kubernetes.io/tls');
    const [leaf] = certificatesIn(await stage.stored('tls.crt'));
    expect(leaf?.checkHost('hooks.default.svc')).toBe('hooks.default.svc');
    expect(replica.ends.certificate).toBe(leaf?.validToDate.getTime());
    expect(replica.log.join()).not.toMatch(/BEGIN|cannot/);
  });

  it('mends a configuration that was overwritten, at once', async () => {
    const replica = stage.replica();
    await stage.until('trust', () => stage.isSound(replica));
    const before = await stage.stored('tls.crt');
    const resource = stage.configurations('ValidatingWebhookConfiguration');
    const { webhooks, ...object } = await resource.get({ name: place.service });
    const blank = (webhooks as { clientConfig: object }[]).map((webhook) => ({
      ...webhook,
      clientConfig: { ...webhook.clientConfig, caBundle: '' },
    }));
    const started = stage.clock.monotonic();
    await resource.update({ ...object, webhooks: blank });
    await stage.until('trust', () => stage.isSound(replica));
    expect(stage.clock.monotonic() - started).toBeLessThan(5000);
    expect(await stage.stored('tls.crt')).toBe(before);
  });

  it('makes a configuration that was deleted and installed again trust it', async () => {
    const replica = stage.replica();
    await stage.until('trust', () => stage.isSound(replica));
    const resource = stage.configurations('MutatingWebhookConfiguration');
    const { metadata: _, ...object } = await resource.get({ name: place.service });
    await resource.delete({ name: place.service });
    await stage.pass(hour);
    await resource.create({ ...object, metadata: { name: place.service } });
    await stage.until('trust', () => stage.isSound(replica));
  });

  it('leaves entries alone that go to another Service', async () => {
    const resource = stage.configurations('MutatingWebhookConfiguration');
    const object = await resource.get({ name: place.service });
    const [first, ...rest] = object.webhooks as { clientConfig: object }[];
    const elsewhere = { ...first, clientConfig: { service: { namespace: 'other', name: 'hooks' }, caBundle: 'eA==' } };
    await resource.update({ ...object, webhooks: [elsewhere, ...rest] });
    const replica = stage.replica();
    await stage.until('trust', async () => (await stage.bundles()).slice(-1).every((one) => one.includes('BEGIN')));
    await stage.pass(hour);
    expect(replica.writes).toHaveLength(3);
    expect((await stage.bundles()).filter((one) => one === 'x')).toHaveLength(1);
  });

  it('renews the certificate after two thirds of its time, and nobody has to trust anything new', async () => {
    const replica = stage.replica();
    await stage.until('trust', () => stage.isSound(replica));
    const [first, bundles] = [await stage.stored('tls.crt'), await stage.bundles()];
    await stage.pass(59 * day);
    expect(replica.shown).toHaveLength(1);
    await stage.pass(day);
    await stage.until('a new one', async () => (await stage.stored('tls.crt')) !== first);
    await stage.until('trust', () => stage.isSound(replica));
    expect(replica.shown).toHaveLength(2);
    expect(await stage.bundles()).toEqual(bundles);
  });

  it('makes the successor of an authority known first, serves by it later, and forgets the old one at its end', async () => {
    const replica = stage.replica();
    await stage.until('trust', () => stage.isSound(replica));
    for (let days = 0; days < 4; days++) {
      await stage.pass(60 * day);
      await stage.until('trust', () => stage.isSound(replica));
    }
    const served = replica.shown.at(-1)?.cert as string;
    stage.clock.jump(4 * day);
    const isKnown = async (): Promise<boolean> =>
      (await stage.bundles()).every((bundle) => certificatesIn(bundle).length === 2);
    const unknownAt = await stage.lastBefore('both authorities are trusted everywhere', isKnown);
    expect(await stage.stored('tls.crt')).toBe(served);
    const servedAt = await stage.lastBefore('a new one', async () => (await stage.stored('tls.crt')) !== served);
    expect(servedAt + lookMs - unknownAt).toBeGreaterThanOrEqual(usualLifetimes.settleMs);
    const [bundle] = await stage.bundles();
    expect(trusts(bundle ?? '', served)).toBe(true);
    expect(trusts(bundle ?? '', await stage.stored('tls.crt'))).toBe(true);
    for (let days = 0; days < 3; days++) {
      await stage.pass(50 * day);
      await stage.until('trust', () => stage.isSound(replica));
    }
    await stage.until('one authority', async () => certificatesIn((await stage.bundles())[0] ?? '').length === 1);
  });

  it('only serves when it is to write nothing', async () => {
    const watcher = stage.replica({ observeOnly: true });
    await stage.pass(hour);
    expect(watcher.writes).toEqual([]);
    expect(watcher.shown).toEqual([]);
    const replica = stage.replica();
    await stage.until('trust', () => stage.isSound(replica, watcher));
    await stage.pass(80 * day);
    await stage.until('trust', () => stage.isSound(replica, watcher));
    expect(watcher.shown).toHaveLength(2);
    expect(watcher.writes).toEqual([]);
  });

  it('says once what it may not do, and does it when it may', async () => {
    let forbidden = true;
    const replica = stage.replica({
      disturb: (request, send) => {
        if (!forbidden || request.method === 'GET' || !request.path.includes('mutating')) return send();
        const body = JSON.stringify({ kind: 'Status', status: 'Failure', code: 403, message: 'you may not' });
        return Promise.resolve({
          status: 403,
          headers: { 'content-type': 'application/json' },
          body: [Buffer.from(body)] as unknown as AsyncIterable<Uint8Array>,
        });
      },
    });
    await stage.until('a certificate', () => replica.shown.length === 1);
    await stage.pass(hour);
    expect(replica.log.filter((line) => line.includes('you may not'))).toHaveLength(1);
    forbidden = false;
    // It has tried for an hour, and waits for longer and longer in between.
    await stage.lastBefore('trust', () => stage.isSound(replica));
  });
});

describe('a Secret that was damaged by hand', () => {
  const broken = Buffer.from('nothing that can be read').toString('base64');
  it.each<[string, Readonly<Record<string, string | null>>]>([
    ['without a key', { 'tls.key': null }],
    ['with a certificate that is none', { 'tls.crt': broken }],
    ['without the key of the authority', { 'ca.key': null }],
    ['with an authority that is none', { 'ca.crt': broken }],
    ['with nothing in it', { 'ca.crt': null, 'ca.key': null, 'tls.crt': null, 'tls.key': null }],
    ['with what is no base64', { 'tls.crt': 'AAAA', 'ca.crt': '////' }],
  ])('%s is mended, and everybody trusts it', async (_, data) => {
    const replica = stage.replica();
    await stage.until('trust', () => stage.isSound(replica));
    const secrets = stage.client.resource(kinds.secrets);
    const before = await secrets.get(secretName);
    const values = { ...(before.data as Record<string, string>), ...data, mine: 'eA==' };
    const kept = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
    // A Secret of another type may be without its certificate.
    await secrets.delete(secretName);
    await secrets.create({ apiVersion: 'v1', kind: 'Secret', metadata: secretName, type: 'Opaque', data: kept });
    for (let turn = 0; turn < 3; turn++) await stage.pass(hour);
    await stage.until('trust', () => stage.isSound(replica));
    expect(await stage.stored('mine')).toBe('x');
    const [{ metadata }, writes] = [await secrets.get(secretName), replica.writes.length];
    await stage.pass(hour);
    expect((await secrets.get(secretName)).metadata.resourceVersion).toBe(metadata.resourceVersion);
    expect(replica.writes).toHaveLength(writes);
  });

  it('and one that was deleted is made anew', async () => {
    const replica = stage.replica();
    await stage.until('trust', () => stage.isSound(replica));
    const before = await stage.stored('ca.crt');
    await stage.client.resource(kinds.secrets).delete(secretName);
    await stage.pass(60_000);
    await stage.until('trust', () => stage.isSound(replica));
    expect(await stage.stored('ca.crt')).not.toBe(before);
  });
});

describe('several replicas', () => {
  it('that start at once end with the same certificate', async () => {
    const replicas = [stage.replica(), stage.replica(), stage.replica()];
    await stage.until('trust', () => stage.isSound(...replicas));
    for (const { shown } of replicas) expect(shown).toHaveLength(1);
    expect(certificatesIn(await stage.stored('ca.crt'))).toHaveLength(1);
  });

  it('come to rest although their clocks are months apart', async () => {
    const replicas = [stage.replica(), stage.replica({ skewMs: 100 * day })];
    await stage.until('trust', () => stage.isSound(...replicas));
    for (let turn = 0; turn < 6; turn++) await stage.pass(hour);
    expect(replicas.flatMap(({ writes }) => writes).length).toBeLessThan(6 * 2 * 60 * 2);
    expect(certificatesIn(await stage.stored('ca.crt')).length).toBeLessThanOrEqual(5);
  });
});

describe('a replica that dies at any of its writes', () => {
  const cases = [1, 2, 3, 4, 5, 6, 7].flatMap((nth) => [
    [nth, 'before it arrives'] as const,
    [nth, 'and it had arrived'] as const,
  ]);

  it.each(cases)('write %i, %s, leaves what the next one completes', async (nth, when) => {
    const lifetimes = { authorityMs: 40 * day, leafMs: 90 * day, settleMs: 60_000, graceMs: hour };
    let count = 0;
    const disturb: Disturb = async (request, send) => {
      if (request.method === 'GET' || ++count !== nth) return send();
      if (when === 'and it had arrived') await send();
      died = true;
      return noAnswer(request);
    };
    let died = false;
    const first = stage.replica({ disturb, lifetimes });
    for (let turn = 0; turn < 12 && !died; turn++) {
      await stage.until('trust or death', async () => died || (await stage.isSound(first)));
      if (!died) await stage.pass(turn % 2 === 0 ? 27 * day : 2 * hour);
    }
    await stage.until('death', () => died);
    await first.stop();
    const second = stage.replica({ lifetimes });
    await stage.until('trust', () => stage.isSound(second));
    expect(await stage.comesToRest(second)).toBe(true);
    await stage.until('trust', () => stage.isSound(second));
  });
});
