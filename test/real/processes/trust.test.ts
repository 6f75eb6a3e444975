import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueAuthority, issueCertificate, type KeyPair } from '../../../src/control/certificates/issue.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import { until } from '../flink/until.ts';
import { Kept } from './kept.ts';
import { TcpProxy } from './tcp-proxy.ts';
import { bugsOf, ProcessWorld, working } from './world.ts';

const minuteMs = 60_000;
const names = ['one', 'two', 'three'];

let world: ProcessWorld;
beforeAll(async () => {
  world = await ProcessWorld.open();
});
afterAll(() => world?.[Symbol.asyncDispose]());

describe('an operator that does not trust the API server', () => {
  it.each([
    ['expired', expired, /the server's certificate has expired/],
    ['stranger', ofStrangers, /the server's certificate was issued by nobody we trust/],
  ])('says why (%s), and goes on when that is mended', async (room, bad, complaint) => {
    await using proxy = await TcpProxy.open(world.plane.url);
    await world.room(room);
    await using operator = new Kept(() => world.replica(room, room, { server: proxy.url }));
    await working(operator.now);
    await world.create(room, names);
    await world.done(room, names, 1);

    const first = operator.now;
    const good = served();
    await serve(await bad());
    // Connections that are there are not asked again.
    proxy.cutAll();
    await first.says(complaint);
    const line = first.output.stderr.split('\n').find((one) => complaint.test(one)) ?? '';
    expect(JSON.parse(line)).toMatchObject({ level: 'warn', error: { kind: 'unreachable', message: complaint } });

    await serve(good);
    await world.edit(room, names, 2);
    await world.done(room, names, 2);
    expect(operator.programs.flatMap(bugsOf)).toEqual([]);
  });
});

/** Without a lease, which it would lose meanwhile: it is to go on in the same process. */
describe.concurrent('an operator whom the API server does not trust any more', () => {
  it('finds the certificate that was renewed in its kubeconfig', async () => {
    const room = 'certificate';
    await world.room(room);
    await world.create(room, names);
    const write = async (lifeMs: number): Promise<string> => world.kubeconfig(room, { user: await client(lifeMs) });
    await using operator = world.replica(room, room, { kubeconfig: await write(20_000), flags: ['--no-leader-elect'] });
    await world.done(room, names, 1);
    const round = await refused(room, operator.output);
    await write(60 * minuteMs);
    await world.reached(room, names, round);
    expect(bugsOf(operator)).toEqual([]);
  });

  it('finds the token that was renewed in its file', async () => {
    const room = 'token';
    await world.room(room);
    await world.create(room, names);
    const tokenFile = join(world.home, 'token');
    writeFileSync(tokenFile, await token(room, 'first'));
    const kubeconfig = world.kubeconfig(room, { user: { tokenFile } });
    await using operator = world.replica(room, room, { kubeconfig, flags: ['--no-leader-elect'] });
    await world.done(room, names, 1);
    // A token ends with what it is bound to.
    await world.person.resource(kinds.secrets).delete({ namespace: room, name: 'first' });
    const round = await refused(room, operator.output);
    writeFileSync(tokenFile, await token(room, 'second'));
    await world.reached(room, names, round);
    expect(bugsOf(operator)).toEqual([]);
  });
});

/** Gives it something to do until it is told that nobody knows it any more. Resolves to what it was asked for last. */
async function refused(room: string, output: { readonly stderr: string }): Promise<number> {
  let round = 1;
  await until(
    'the operator is refused',
    async () => {
      await world.edit(room, names, ++round);
      return output.stderr;
    },
    (said) => /Unauthorized/.test(said),
  );
  return round;
}

// What the API server shows.

const files = (): KeyPair => ({
  cert: world.plane.pki.file('apiserver.crt'),
  key: world.plane.pki.file('apiserver.key'),
});

function served(): KeyPair {
  const { cert, key } = files();
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}

/** Has the API server show this one from now on: it reads the files again when they change. */
async function serve({ cert, key }: KeyPair): Promise<void> {
  writeFileSync(files().key, key);
  writeFileSync(files().cert, cert);
  const { fingerprint256 } = new X509Certificate(cert);
  await until('the API server shows the certificate', shown, (seen) => seen === fingerprint256);
}

function shown(): Promise<string | undefined> {
  const { hostname: host, port } = new URL(world.plane.url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.fingerprint256);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

function clusterCa(): KeyPair {
  const { pki } = world.plane;
  return { cert: pki.caPem, key: readFileSync(pki.file('ca.key'), 'utf8') };
}

const apiServer = { commonName: 'kube-apiserver', hosts: ['localhost', '127.0.0.1'] };

function expired(): Promise<KeyPair> {
  const now = Date.now();
  return issueCertificate({ ca: clusterCa(), ...apiServer, from: now - 60 * minuteMs, until: now - minuteMs });
}

async function ofStrangers(): Promise<KeyPair> {
  const [from, until] = [Date.now(), Date.now() + 60 * minuteMs];
  const ca = await issueAuthority('strangers', from, until);
  return await issueCertificate({ ca, ...apiServer, from, until });
}

// What the operator shows.

async function client(lifeMs: number): Promise<object> {
  const [from, until] = [Date.now(), Date.now() + lifeMs];
  const who = { commonName: 'operator', organization: 'system:masters' };
  const { cert, key } = await issueCertificate({ ca: clusterCa(), ...who, from, until });
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  return { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) };
}

/** A token of a ServiceAccount that may do everything, for as long as a Secret of this name is there. */
async function token(namespace: string, secret: string): Promise<string> {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name: 'operator' } };
  const apply = { manager: 'person', force: true };
  await world.person.resource(kinds.serviceAccounts).apply(account, apply);
  const binding: AnyObject = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: `operator-of-${namespace}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', namespace, name: 'operator' }],
  };
  await world.person.resource(kinds.clusterRoleBindings).apply(binding, apply);
  const bound = await world.person
    .resource(kinds.secrets)
    .create({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name: secret } });
  const boundObjectRef = { apiVersion: 'v1', kind: 'Secret', name: secret, uid: bound.metadata.uid };
  const request = await world.person.json<{ readonly status: { readonly token: string } }>({
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/operator/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { boundObjectRef } },
  });
  return request.status.token;
}
