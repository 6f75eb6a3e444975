import { readFileSync, writeFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import type { Client } from '../../../src/kube/client.ts';
import { kinds } from '../../../src/kube/kinds.ts';

/** Somebody with a ServiceAccount and no rights but those that others bind to it. */
export interface ClusterUser {
  readonly namespace: string;
  readonly name: string;
}

export function userName({ namespace, name }: ClusterUser): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** Makes the account, and a kubeconfig in which its token is the only credential. */
export async function giveAccess(client: Client, user: ClusterUser, base: string, path: string): Promise<void> {
  const { namespace, name } = user;
  const accounts = client.resource(kinds.serviceAccounts);
  await accounts.apply(
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name } },
    { manager: 'person', force: true },
  );
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 7200 } };
  const { status } = await client.json<{ readonly status: { readonly token: string } }>({
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
    body: request,
  });
  const { clusters } = parse(readFileSync(base, 'utf8')) as { clusters: [{ name: string }] };
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters,
    users: [{ name, user: { token: status.token } }],
    contexts: [{ name, context: { cluster: clusters[0].name, user: name } }],
    'current-context': name,
  };
  writeFileSync(path, stringify(kubeconfig), { mode: 0o600 });
}
