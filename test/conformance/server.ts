import { readFileSync } from 'node:fs';
import { afterAll, beforeAll } from 'vitest';
import { parse } from 'yaml';
import { realRandom } from '../../src/clock/random.ts';
import { realClock } from '../../src/clock/real.ts';
import { httpTransport } from '../../src/kube/http-transport.ts';
import { fixedIdentity, type Identity } from '../../src/kube/identity.ts';
import type { Transport } from '../../src/kube/transport.ts';
import { Api } from './api.ts';

/** The server under test, with a namespace of this test file's own. */
export interface Server {
  readonly kind: 'embedded' | 'real';
  /** Speaks as cluster administrator. */
  readonly api: Api;
  readonly namespace: string;
  /** A path of the core group in the namespace: `core('pods', 'web', 'status')`. */
  core(resource: string, ...rest: (string | undefined)[]): string;
  /** A path of another group in the namespace: `group('apps/v1', 'deployments')`. */
  group(apiVersion: string, resource: string, ...rest: (string | undefined)[]): string;
  /** Speaks with a bearer token instead of as administrator. */
  as(token: string): Api;
}

interface Opened {
  readonly admin: Transport;
  withToken(token: string): Transport;
  close(): Promise<void>;
}

/**
 * Opens the server that the environment names: the embedded one, over its own HTTPS socket, or with
 * `CUTOVER_CONFORMANCE=real` the one that `CUTOVER_KUBECONFIG` points at. Call it once at the top of a test file.
 */
export function conformance(): () => Server {
  const kind = process.env.CUTOVER_CONFORMANCE === 'real' ? 'real' : 'embedded';
  let server: Server | undefined;
  let opened: Opened | undefined;

  beforeAll(async () => {
    opened = await (kind === 'real' ? openReal() : openEmbedded());
    const { admin, withToken } = opened;
    const api = new Api(admin);
    const made = await api.must('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { generateName: 'conformance-' },
    });
    const namespace: string = made.metadata.name;
    const path = (base: string, resource: string, rest: readonly (string | undefined)[]): string =>
      [base, 'namespaces', namespace, resource, ...rest].filter((part) => part !== undefined).join('/');
    server = {
      kind,
      api,
      namespace,
      core: (resource, ...rest) => path('/api/v1', resource, rest),
      group: (apiVersion, resource, ...rest) => path(`/apis/${apiVersion}`, resource, rest),
      as: (token) => new Api(withToken(token)),
    };
  });

  afterAll(async () => {
    if (server) await server.api.delete(`/api/v1/namespaces/${server.namespace}`);
    await opened?.close();
  });

  return () => {
    if (!server) throw new Error('the server is open only inside a test');
    return server;
  };
}

async function openReal(): Promise<Opened> {
  const path = process.env.CUTOVER_KUBECONFIG;
  if (!path) throw new Error('CUTOVER_CONFORMANCE=real needs CUTOVER_KUBECONFIG, the path of a kubeconfig file');
  const config = parse(readFileSync(path, 'utf8'));
  const { cluster } = config.clusters[0];
  const { user } = config.users[0];
  const text = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8');
  const certificate = { cert: text(user['client-certificate-data']), key: text(user['client-key-data']) };
  return overHttps(cluster.server, text(cluster['certificate-authority-data']), certificate);
}

async function openEmbedded(): Promise<Opened> {
  const { createEmbedded } = await import('../../src/embedded/embedded.ts');
  const embedded = await createEmbedded({ clock: realClock, random: realRandom });
  const { url, ca, admin } = await embedded.listen({ port: 0 });
  const opened = overHttps(url, ca, admin);
  return {
    ...opened,
    async close() {
      await opened.close();
      await embedded.close();
    },
  };
}

function overHttps(server: string, ca: string, certificate: { cert: string; key: string }): Opened {
  const transports: Transport[] = [];
  const open = (identity: Identity): Transport => {
    const transport = httpTransport({ server, tls: { ca }, identity: fixedIdentity(identity) });
    transports.push(transport);
    return transport;
  };
  return {
    admin: open({ certificate }),
    withToken: (token) => open({ authorization: `Bearer ${token}` }),
    async close() {
      for (const transport of transports) await transport.close();
    },
  };
}
