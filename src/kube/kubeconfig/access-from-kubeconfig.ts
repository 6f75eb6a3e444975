import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Clock } from '../../clock/clock.ts';
import type { ServerTls } from '../agents.ts';
import { fixedIdentity, type Identity, type IdentitySource } from '../identity.ts';
import type { ClusterAccess } from './cluster-access.ts';
import { execIdentity } from './exec-identity.ts';
import { fileTokenIdentity } from './file-token-identity.ts';
import type { Entry, Kubeconfig, KubeconfigCluster, KubeconfigUser } from './kubeconfig.ts';
import { firstLine, KubeconfigError } from './kubeconfig-error.ts';

/**
 * The access that a context describes; without a name, the current one.
 *
 * What is not supported is refused here, in one line with file, context and field, rather than failing later in a way
 * that looks like something else.
 */
export async function accessFromKubeconfig(
  kubeconfig: Kubeconfig,
  options: { readonly context?: string | undefined; readonly clock: Clock },
): Promise<ClusterAccess> {
  const name = options.context ?? kubeconfig.currentContext;
  const files = kubeconfig.files.join(', ');
  if (!name) throw new KubeconfigError(`kubeconfig ${files}: current-context: not set, and no context was asked for`);
  const context = kubeconfig.contexts.get(name);
  if (!context) {
    const known = [...kubeconfig.contexts.keys()].map((one) => `"${one}"`).join(', ') || 'none';
    throw new KubeconfigError(`kubeconfig ${files}: context "${name}" does not exist; known: ${known}`);
  }
  const { cluster: clusterName, user: userName, namespace } = context.value;
  const where = (file: string, field: string): string => `kubeconfig ${file}: context "${name}": ${field}`;

  const cluster = clusterName === undefined ? undefined : kubeconfig.clusters.get(clusterName);
  if (!cluster) throw new KubeconfigError(where(context.file, `cluster: there is no cluster "${clusterName ?? ''}"`));
  const user = userName ? kubeconfig.users.get(userName) : { file: context.file, value: {} };
  if (!user) throw new KubeconfigError(where(context.file, `user: there is no user "${userName}"`));

  const atCluster: Problem = (field, problem) =>
    new KubeconfigError(where(cluster.file, `cluster.${field}: ${problem}`));
  const atUser: Problem = (field, problem) => new KubeconfigError(where(user.file, `user.${field}: ${problem}`));
  const server = serverOf(cluster.value, atCluster);
  const tls = await tlsOf(cluster, atCluster);
  return {
    server,
    tls,
    identity: await identityOf(user, { server, tls, cluster: cluster.value }, atUser, options.clock),
    namespace: namespace || 'default',
    source: `context "${name}" of ${context.file}`,
  };
}

/** Makes the error for a field. */
type Problem = (field: string, problem: string) => KubeconfigError;

function serverOf(cluster: KubeconfigCluster, at: Problem): string {
  const { server } = cluster;
  if (!server) throw at('server', 'missing');
  const url = URL.parse(server.includes('://') ? server : `http://${server}`);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw at('server', `"${server}" is not an http(s) address`);
  if (cluster['proxy-url'])
    throw at('proxy-url', 'proxies are not supported; connect directly or through a local tunnel');
  return url.href;
}

async function tlsOf({ file, value }: Entry<KubeconfigCluster>, at: Problem): Promise<ServerTls> {
  const ca = await material(file, value, 'certificate-authority', at);
  const insecure = value['insecure-skip-tls-verify'] ?? false;
  const serverName = value['tls-server-name'];
  if (insecure && ca) throw at('insecure-skip-tls-verify', 'contradicts certificate-authority; keep one of the two');
  return { ...(ca && { ca }), ...(serverName && { serverName }), ...(insecure && { insecure }) };
}

async function identityOf(
  { file, value }: Entry<KubeconfigUser>,
  target: { readonly server: string; readonly tls: ServerTls; readonly cluster: KubeconfigCluster },
  at: Problem,
  clock: Clock,
): Promise<IdentitySource> {
  if (value['auth-provider']) {
    const name = value['auth-provider'].name ?? '';
    throw at('auth-provider', `"${name}" is not supported; Kubernetes replaced it by credential plugins (user.exec)`);
  }
  const cert = await material(file, value, 'client-certificate', at);
  const key = await material(file, value, 'client-key', at);
  if (cert && !key) throw at('client-key', 'missing, but there is a client-certificate');
  if (key && !cert) throw at('client-certificate', 'missing, but there is a client-key');
  const impersonation = impersonationOf(value, at);
  const fixed: Identity = {
    ...(cert && key && { certificate: { cert, key } }),
    ...(impersonation && { headers: impersonation }),
  };

  if (value.exec) {
    if (value.token || value.tokenFile) throw at('exec', 'contradicts token; keep one of the two');
    return execIdentity(value.exec, { file, ...target, fixed, problem: at, clock });
  }
  if (value.tokenFile) return fileTokenIdentity(resolve(dirname(file), value.tokenFile), { fixed, clock });
  if (value.token) return fixedIdentity({ ...fixed, authorization: `Bearer ${value.token.trim()}` });
  if (value.username !== undefined) {
    const secret = Buffer.from(`${value.username}:${value.password ?? ''}`).toString('base64');
    return fixedIdentity({ ...fixed, authorization: `Basic ${secret}` });
  }
  return fixedIdentity(fixed);
}

function impersonationOf(user: KubeconfigUser, at: Problem): Identity['headers'] | undefined {
  const { as, 'as-uid': uid, 'as-groups': groups, 'as-user-extra': extra } = user;
  if (!as) {
    if (uid || groups?.length || extra) throw at('as', 'missing, but there are further fields of impersonation');
    return undefined;
  }
  const extras = Object.entries(extra ?? {}).map(([key, values]) => [
    `impersonate-extra-${encodeURIComponent(key)}`,
    values,
  ]);
  return {
    'impersonate-user': as,
    ...(uid && { 'impersonate-uid': uid }),
    ...(groups?.length && { 'impersonate-group': groups }),
    ...Object.fromEntries(extras),
  };
}

/** A certificate or key: inline as base64, or in a file relative to the kubeconfig. Inline wins, as in kubectl. */
async function material<K extends string>(
  file: string,
  value: { readonly [F in K | `${K}-data`]?: unknown },
  field: K,
  at: Problem,
): Promise<Buffer | undefined> {
  const data = value[`${field}-data`];
  if (typeof data === 'string' && data !== '') return Buffer.from(data, 'base64');
  const path = value[field];
  if (typeof path !== 'string' || path === '') return undefined;
  try {
    return await readFile(resolve(dirname(file), path));
  } catch (error) {
    throw at(field, firstLine(error));
  }
}
