import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { VirtualClock } from '../../clock/virtual.ts';
import type { ClusterAccess } from './cluster-access.ts';
import { findAccess } from './find-access.ts';
import { inClusterAccess } from './in-cluster-access.ts';

let folder: string;
let clock: VirtualClock;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
  clock = new VirtualClock();
});
afterEach(() => rm(folder, { recursive: true }));

async function write(name: string, content: string | object): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** A kubeconfig with one of everything, named `x`. */
const config = (user: object = {}, cluster: object = {}, context: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'x',
  clusters: [{ name: 'x', cluster: { server: 'https://10.0.0.1:6443', ...cluster } }],
  users: [{ name: 'x', user }],
  contexts: [{ name: 'x', context: { cluster: 'x', user: 'x', ...context } }],
});

async function failure(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => expect.fail('it should have failed'),
    (error) => error,
  );
}

const accessWith = async (...args: Parameters<typeof config>): Promise<ClusterAccess> =>
  findAccess({ kubeconfig: await write('config', config(...args)), env: {}, clock });

describe('a kubeconfig', () => {
  it('gives server, namespace and a token', async () => {
    const access = await accessWith({ token: 'secret' }, {}, { namespace: 'work' });
    expect(access).toMatchObject({ server: 'https://10.0.0.1:6443/', namespace: 'work', tls: {} });
    expect(await access.identity.current()).toEqual({ authorization: 'Bearer secret' });
  });

  it('is read as YAML', async () => {
    const path = await write(
      'config',
      `
current-context: x
clusters:
- {name: x, cluster: {server: "https://[::1]:6443", insecure-skip-tls-verify: true, tls-server-name: api}}
contexts:
- {name: x, context: {cluster: x}}
users: null
`,
    );
    const access = await findAccess({ kubeconfig: path, env: {}, clock });
    expect(access).toMatchObject({ namespace: 'default', tls: { insecure: true, serverName: 'api' } });
  });

  it('is read without a warning on the terminal', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const kubeconfig = await write('config', `${JSON.stringify(config())}`.replace('"v1"', '!unknown v1'));
    await expect(findAccess({ kubeconfig, env: {}, clock })).resolves.toMatchObject({ namespace: 'default' });
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  it('is merged from several files: the first of a name wins, paths are relative to their own file', async () => {
    await mkdir(join(folder, 'sub'));
    await write('sub/ca.crt', 'the CA');
    const first = await write('first', {
      clusters: [{ name: 'x', cluster: { server: 'https://first' } }],
      contexts: [{ name: 'y', context: { cluster: 'y' } }],
    });
    const second = await write('sub/second', {
      'current-context': 'y',
      clusters: [
        { name: 'x', cluster: { server: 'https://second' } },
        { name: 'y', cluster: { server: 'https://y', 'certificate-authority': 'ca.crt' } },
      ],
      contexts: [
        { name: 'x', context: { cluster: 'x' } },
        { name: 'y', context: { cluster: 'x' } },
      ],
    });
    const env = { KUBECONFIG: [first, join(folder, 'missing'), second].join(delimiter) };
    expect(await findAccess({ env, clock })).toMatchObject({
      server: 'https://y/',
      tls: { ca: Buffer.from('the CA') },
    });
    expect(await findAccess({ env, clock, context: 'x' })).toMatchObject({ server: 'https://first/' });
  });

  it('holds certificates inline or in files, inline first', async () => {
    await write('key.pem', 'key in file');
    const access = await accessWith(
      {
        'client-certificate-data': Buffer.from('cert inline').toString('base64'),
        'client-certificate': 'nowhere.pem',
        'client-key': 'key.pem',
      },
      { 'certificate-authority-data': Buffer.from('ca inline').toString('base64') },
    );
    expect(access.tls).toEqual({ ca: Buffer.from('ca inline') });
    expect(await access.identity.current()).toEqual({
      certificate: { cert: Buffer.from('cert inline'), key: Buffer.from('key in file') },
    });
  });

  it('is read again after a 401, and gives what was renewed in it', async () => {
    const access = await accessWith({ token: 'old' });
    const old = await access.identity.current();
    await write('config', config({ token: 'new' }));
    expect(await access.identity.current()).toBe(old);
    expect(access.identity.rejected(old)).toBe(true);
    const renewed = await access.identity.current();
    expect(renewed).toEqual({ authorization: 'Bearer new' });
    // Who was refused with the old one, too, need not have it read once more.
    expect(access.identity.rejected(old)).toBe(true);
    expect(await access.identity.current()).toBe(renewed);
  });

  it('is read again with the certificates that it names', async () => {
    await write('client.crt', 'old cert');
    await write('client.key', 'old key');
    const access = await accessWith({ 'client-certificate': 'client.crt', 'client-key': 'client.key' });
    const old = await access.identity.current();
    await write('client.crt', 'new cert');
    await write('client.key', 'new key');
    access.identity.rejected(old);
    const { certificate } = await access.identity.current();
    expect(String(certificate?.cert)).toBe('new cert');
    expect(String(certificate?.key)).toBe('new key');
  });

  it('serves on as it was when reading it again gives nothing better', async () => {
    const access = await accessWith({ 'client-certificate-data': 'Yw==', 'client-key-data': 'aw==' });
    const old = await access.identity.current();
    for (const content of [
      config({ 'client-certificate-data': 'Yw==', 'client-key-data': 'aw==' }),
      'half: [',
      config({ token: 'for another server' }, { server: 'https://10.0.0.2:6443' }),
    ]) {
      await write('config', content);
      expect(access.identity.rejected(old)).toBe(true);
      expect(await access.identity.current()).toBe(old);
      // Not with every refused request: only after a while.
      expect(access.identity.rejected(old)).toBe(false);
      await clock.advance(5_000);
    }
  });

  it('gives the context that was current when it was read first', async () => {
    const access = await accessWith({ token: 'mine' });
    const old = await access.identity.current();
    await write('config', {
      ...config({ token: 'mine, renewed' }),
      'current-context': 'y',
      contexts: [
        { name: 'x', context: { cluster: 'x', user: 'x' } },
        { name: 'y', context: { cluster: 'x' } },
      ],
    });
    access.identity.rejected(old);
    expect(await access.identity.current()).toEqual({ authorization: 'Bearer mine, renewed' });
  });

  it('may name a user and password, or somebody to impersonate', async () => {
    const access = await accessWith({
      username: 'u',
      password: 'p',
      as: 'jane',
      'as-groups': ['a', 'b'],
      'as-user-extra': { Scope: ['s'] },
    });
    expect(await access.identity.current()).toEqual({
      authorization: `Basic ${Buffer.from('u:p').toString('base64')}`,
      headers: { 'impersonate-user': 'jane', 'impersonate-group': ['a', 'b'], 'impersonate-extra-Scope': ['s'] },
    });
  });

  it.each<[string, object, object, object, string]>([
    [
      'auth-provider',
      { 'auth-provider': { name: 'gcp' } },
      {},
      {},
      'context "x": user.auth-provider: "gcp" is not supported',
    ],
    ['a proxy', {}, { 'proxy-url': 'http://p' }, {}, 'context "x": cluster.proxy-url: proxies are not supported'],
    ['no server', {}, { server: '' }, {}, 'context "x": cluster.server: missing'],
    ['a strange server', {}, { server: 'ftp://x' }, {}, 'cluster.server: "ftp://x" is not an http(s) address'],
    ['a missing CA', {}, { 'certificate-authority': 'no.crt' }, {}, 'cluster.certificate-authority: ENOENT'],
    ['half a certificate', { 'client-certificate-data': 'YQ==' }, {}, {}, 'user.client-key: missing'],
    ['an unknown user', {}, {}, { user: 'z' }, 'context "x": user: there is no user "z"'],
    ['an unknown cluster', {}, {}, { cluster: 'z' }, 'context "x": cluster: there is no cluster "z"'],
    [
      'a CA that is not to be used',
      {},
      { 'insecure-skip-tls-verify': true, 'certificate-authority-data': 'YQ==' },
      {},
      'contradicts certificate-authority',
    ],
    [
      'an old plugin',
      { exec: { command: 'x', apiVersion: 'client.authentication.k8s.io/v1alpha1' } },
      {},
      {},
      'user.exec.apiVersion',
    ],
    [
      'a plugin that must ask',
      { exec: { command: 'x', apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Always' } },
      {},
      {},
      'user.exec.interactiveMode',
    ],
    ['a token that is no text', { token: 5 }, {}, {}, 'users.0.user.token: '],
  ])('is refused in one line with %s', async (_, user, cluster, context, message) => {
    const error = await failure(accessWith(user, cluster, context));
    expect(error.name).toBe('KubeconfigError');
    expect(error.message).toContain(message);
    expect(error.message.startsWith(`kubeconfig ${join(folder, 'config')}: `)).toBe(true);
    expect(error.message).not.toContain('\n');
  });

  it.each([
    ['is not YAML', 'a: [', /^kubeconfig .*config: not YAML: [^\n]+$/],
    ['is a list', '[]', /^kubeconfig .*config: [^\n]+$/],
    ['has no current context', '{}', /^kubeconfig .*config: current-context: not set, and no context was asked for$/],
    [
      'lacks the context',
      '{current-context: a, contexts: [{name: b}]}',
      /config: context "a" does not exist; known: "b"$/,
    ],
  ])('is refused in one line when it %s', async (_, content, message) => {
    await expect(findAccess({ kubeconfig: await write('config', content), env: {}, clock })).rejects.toThrow(message);
  });

  it('is refused in one line when it is missing or unreadable', async () => {
    await expect(findAccess({ kubeconfig: join(folder, 'none'), env: {}, clock })).rejects.toThrow(
      /^no kubeconfig: there is no file .*none$/,
    );
    await expect(findAccess({ kubeconfig: folder, env: {}, clock })).rejects.toThrow(/^kubeconfig .*: EISDIR[^\n]*$/);
  });
});

describe('a token file', () => {
  it('is read again every minute and after a 401, and the last token serves when it cannot be read', async () => {
    const path = await write('token', 'one\n');
    const { identity } = await accessWith({ tokenFile: 'token' });
    const token = async (): Promise<string | undefined> => (await identity.current()).authorization;
    expect(await token()).toBe('Bearer one');
    await write('token', 'two');
    await clock.advance(59_999);
    expect(await token()).toBe('Bearer one');
    await clock.advance(1);
    expect(await token()).toBe('Bearer two');
    await write('token', 'three');
    expect(identity.rejected(await identity.current())).toBe(true);
    expect(await token()).toBe('Bearer three');
    await rm(path);
    await clock.advance(60_000);
    expect(await token()).toBe('Bearer three');
  });
});

describe('a credential plugin', () => {
  /** A program that counts its runs, shows what it was told, and answers `status`. */
  const plugin = async (status: object | string, more: object = {}) => {
    const script = `#!${process.execPath}
const fs = require('node:fs');
fs.appendFileSync(${JSON.stringify(join(folder, 'runs'))}, process.env.KUBERNETES_EXEC_INFO + '\\n');
${typeof status === 'string' ? status : `console.log(JSON.stringify({ kind: 'ExecCredential', apiVersion: 'client.authentication.k8s.io/v1', status: ${JSON.stringify(status)} }));`}
`;
    await chmod(await write('plugin', script), 0o755);
    return accessWith({ exec: { apiVersion: 'client.authentication.k8s.io/v1', command: './plugin', ...more } });
  };
  const runs = async (): Promise<unknown[]> => {
    return (await readFile(join(folder, 'runs'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  };

  it('is asked once for requests that come together, and again before its credentials expire', async () => {
    const expirationTimestamp = new Date(clock.now() + 600_000).toISOString();
    const { identity } = await plugin({ token: 'secret', expirationTimestamp });
    const [one, two] = await Promise.all([identity.current(), identity.current()]);
    expect(one).toEqual({ authorization: 'Bearer secret' });
    expect(two).toBe(one);
    await clock.advance(539_999);
    await identity.current();
    expect(await runs()).toHaveLength(1);
    await clock.advance(1);
    await identity.current();
    expect(await runs()).toHaveLength(2);
  });

  it('is asked again after a 401, once for all who got it', async () => {
    const { identity } = await plugin({ token: 'secret' });
    const first = await identity.current();
    expect(identity.rejected(first)).toBe(true);
    const second = await identity.current();
    expect(identity.rejected(first)).toBe(true);
    expect(await identity.current()).toBe(second);
    expect(await runs()).toHaveLength(2);
  });

  it('may answer a certificate, and is told about the cluster when it wants to know', async () => {
    const { identity } = await plugin(
      { clientCertificateData: 'cert', clientKeyData: 'key' },
      { provideClusterInfo: true },
    );
    expect(await identity.current()).toEqual({ certificate: { cert: 'cert', key: 'key' } });
    expect(await runs()).toEqual([
      {
        kind: 'ExecCredential',
        apiVersion: 'client.authentication.k8s.io/v1',
        spec: { interactive: false, cluster: { server: 'https://10.0.0.1:6443/' } },
      },
    ]);
  });

  it.each<[string, object | string, string]>([
    ['fails', 'console.error("please log in\\nfirst"); process.exit(3)', 'ended with code 3: please log in'],
    ['prints nonsense', 'console.log("hello")', 'printed something that is not JSON'],
    ['prints something else', 'console.log("{}")', 'printed no ExecCredential: kind: '],
    ['prints nothing useful', {}, 'printed neither a token nor a certificate with its key'],
    [
      'prints half a certificate',
      { clientCertificateData: 'x' },
      'printed neither a token nor a certificate with its key',
    ],
    ['prints a strange time', { token: 'x', expirationTimestamp: 'soon' }, 'printed "soon" as the time of expiry'],
    [
      'answers in another version',
      'console.log(JSON.stringify({kind:"ExecCredential",apiVersion:"client.authentication.k8s.io/v1beta1",status:{token:"x"}}))',
      'answered in client.authentication.k8s.io/v1beta1',
    ],
  ])('makes a request fail in one line when it %s', async (_, behaviour, message) => {
    const { identity } = await plugin(behaviour);
    const error = await failure(identity.current());
    expect(error).toMatchObject({ name: 'KubeError', kind: 'unreachable' });
    expect(error.message).toContain(`context "x": user.exec: credential plugin "./plugin" ${message}`);
    expect(error.message).not.toContain('\n');
  });

  it('makes a request fail with the hint of its maker when it is not installed', async () => {
    const { identity } = await accessWith({
      exec: {
        apiVersion: 'client.authentication.k8s.io/v1beta1',
        command: 'no-such-plugin',
        installHint: 'get it\nfrom us',
      },
    });
    await expect(identity.current()).rejects.toThrow(
      'credential plugin "no-such-plugin" was not found; get it from us',
    );
  });
});

describe('in a pod', () => {
  const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };

  it('the files of the service account give access', async () => {
    await write('token', 'pod-token');
    await write('ca.crt', 'the CA');
    await write('namespace', 'work\n');
    const access = await inClusterAccess({ env, clock, folder });
    expect(access).toMatchObject({
      server: 'https://[fd00::1]:443',
      namespace: 'work',
      tls: { ca: Buffer.from('the CA') },
    });
    await write('token', 'renewed');
    await clock.advance(60_000);
    expect(await access.identity.current()).toEqual({ authorization: 'Bearer renewed' });
  });

  it('a missing file is one clear line', async () => {
    await expect(inClusterAccess({ env, clock, folder })).rejects.toThrow(
      /^in-cluster access: token file .*token: ENOENT[^\n]*$/,
    );
  });

  it('comes after KUBECONFIG and before the home directory', async () => {
    const path = await write('config', config());
    expect(await findAccess({ env: { ...env, KUBECONFIG: path }, clock })).toMatchObject({
      server: 'https://10.0.0.1:6443/',
    });
    await expect(findAccess({ env, clock })).rejects.toThrow('in-cluster access');
  });
});
