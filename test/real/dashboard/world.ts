import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { install } from '../../../src/cli/install.ts';
import { definitions } from '../../../src/flink/family.ts';
import { samples } from '../../../src/flink/sample.ts';
import type { Client } from '../../../src/kube/client.ts';
import { discover } from '../../../src/kube/discover.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import { clientOf } from '../../program/client-of.ts';
import { type Program, startProgram } from '../../program/start-program.ts';

/** A Kubernetes in one process, the operator with its dashboard in another, a blue/green job, and people. */
export interface World extends AsyncDisposable {
  readonly client: Client;
  /** Of the dashboard: the same for every operator of this world. */
  readonly url: string;
  /** Ends the operator without a word, as a lost node would. */
  killOperator(): Promise<void>;
  startOperator(): Promise<void>;
  /** A token of somebody with these rights in the namespace `default`. */
  token(name: string, rules: readonly object[]): Promise<string>;
}

export const everything = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
export const lookingOnly = [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] }];

export async function openWorld(): Promise<World> {
  const cluster = startProgram(['embedded', '--port', '0', '--kubeconfig', 'kubeconfig']);
  await cluster.says(/Ctrl-C stops it/);
  const kubeconfig = join(cluster.home, 'kubeconfig');
  const client = await clientOf(kubeconfig);
  await install(client, definitions(), AbortSignal.timeout(60_000));
  const port = await freePort();
  const keyFile = join(cluster.home, 'dashboard.key');
  writeFileSync(keyFile, randomBytes(32).toString('base64'));
  const key = ['--dashboard-key', keyFile];
  let operator: Program | undefined;
  const startOperator = async (): Promise<void> => {
    const ports = ['--health-port', '0', '--dashboard-port', String(port)];
    operator = startProgram(['operator', '--kubeconfig', kubeconfig, '--no-leader-elect', ...ports, ...key]);
    await operator.says(/"msg":"the dashboard is served"/);
  };
  await startOperator();
  for (const { manifest } of samples) await apply(client, manifest);
  return {
    client,
    url: `http://127.0.0.1:${port}`,
    startOperator,
    async killOperator() {
      operator?.kill('SIGKILL');
      await operator?.ended;
    },
    token: (name, rules) => tokenOf(client, name, rules),
    async [Symbol.asyncDispose]() {
      await operator?.[Symbol.asyncDispose]();
      await client.close();
      await cluster[Symbol.asyncDispose]();
    },
  };
}

/** Waits are long enough for a busy machine, and a new side is promoted by hand. */
const unhurried = (manifest: string): string =>
  manifest.replace('grace-period: 30s ', 'grace-period: 10min\n    kubernetes.operator.bluegreen.promotion: manual ');

async function apply(client: Client, manifest: string): Promise<void> {
  for (const document of parseAllDocuments(unhurried(manifest))) {
    const object = document.toJS() as AnyObject;
    const type = await discover(client, object.apiVersion, object.kind);
    await client.resource<AnyObject>(type).apply(object, { manager: 'test', force: true });
  }
}

async function tokenOf(client: Client, name: string, rules: readonly object[]): Promise<string> {
  const namespace = 'default';
  const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1' };
  await client
    .resource(kinds.serviceAccounts)
    .create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } });
  await client
    .resource<AnyObject>(kinds.roles)
    .create({ ...rbac, kind: 'Role', metadata: { name, namespace }, rules } as AnyObject);
  await client.resource<AnyObject>(kinds.roleBindings).create({
    ...rbac,
    kind: 'RoleBinding',
    metadata: { name, namespace },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  } as AnyObject);
  const { status } = await client.json<{ readonly status: { readonly token: string } }>({
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3_600 } },
  });
  return status.token;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
