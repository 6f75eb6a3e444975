import { execFile } from 'node:child_process';
import { dirname, isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import type { Clock, Instant } from '../../clock/clock.ts';
import type { ServerTls } from '../agents.ts';
import { KubeError } from '../error.ts';
import type { Identity, IdentitySource } from '../identity.ts';
import type { KubeconfigCluster, KubeconfigExec } from './kubeconfig.ts';
import { firstLine, type KubeconfigError } from './kubeconfig-error.ts';

const versions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

/** A plugin that takes longer waits for a person, whom nobody will answer here. */
const longestMs = 60_000;

/** Credentials are renewed this long before they expire, or at half their life if that is shorter. */
const marginMs = 60_000;

const credential = z.object({
  kind: z.literal('ExecCredential'),
  apiVersion: z.string(),
  status: z.object({
    token: z.string().optional(),
    clientCertificateData: z.string().optional(),
    clientKeyData: z.string().optional(),
    expirationTimestamp: z.string().optional(),
  }),
});

export interface ExecContext {
  /** The kubeconfig; a command that is a relative path is relative to it. */
  readonly file: string;
  readonly server: string;
  readonly tls: ServerTls;
  readonly cluster: KubeconfigCluster;
  /** What else belongs to the identity. */
  readonly fixed: Identity;
  readonly problem: (field: string, problem: string) => KubeconfigError;
  readonly clock: Clock;
}

/**
 * Credentials from a program (`client.authentication.k8s.io`), run when they are needed first, before they expire, and
 * after a 401. Requests that come together share one run.
 *
 * Errors: a plugin that cannot be used at all is refused at once; one that fails when it is run makes the request that
 * needed it fail as `unreachable`, with the plugin's own words, and is run again for the next.
 */
export function execIdentity(exec: KubeconfigExec, context: ExecContext): IdentitySource {
  if (!exec.apiVersion || !versions.includes(exec.apiVersion)) {
    throw context.problem(
      'exec.apiVersion',
      `"${exec.apiVersion ?? ''}" is not supported; use ${versions.join(' or ')}`,
    );
  }
  if (exec.interactiveMode === 'Always') {
    throw context.problem('exec.interactiveMode', `"Always" is not supported: ${exec.command} cannot ask anybody here`);
  }
  const { clock, fixed } = context;
  let held: { readonly identity: Identity; readonly renewAt: Instant } | undefined;
  let running: Promise<Identity> | undefined;

  const renew = async (): Promise<Identity> => {
    const { status } = await run(exec, context);
    const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = status;
    const identity: Identity = {
      ...fixed,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(cert && key && { certificate: { cert, key } }),
    };
    held = { identity, renewAt: renewAt(expirationTimestamp, clock.now()) };
    return identity;
  };

  return {
    current() {
      if (held && clock.now() < held.renewAt) return Promise.resolve(held.identity);
      running ??= renew().finally(() => {
        running = undefined;
      });
      return running;
    },
    rejected(identity) {
      if (held?.identity === identity) held = undefined;
      return true;
    },
  };
}

function renewAt(expires: string | undefined, now: Instant): Instant {
  if (!expires) return Number.POSITIVE_INFINITY;
  const end = Date.parse(expires);
  return end - Math.min(marginMs, Math.max(0, end - now) / 2);
}

async function run(exec: KubeconfigExec, context: ExecContext): Promise<z.infer<typeof credential>> {
  const failed = (why: string, cause?: unknown): KubeError => {
    const hint = exec.installHint ? `; ${exec.installHint.trim().replace(/\s+/g, ' ')}` : '';
    const { message } = context.problem('exec', `credential plugin "${exec.command}" ${why}${hint}`);
    return new KubeError('unreachable', message, { cause });
  };
  const output = await start(exec, context, failed);
  let value: unknown;
  try {
    value = JSON.parse(output);
  } catch (error) {
    throw failed('printed something that is not JSON', error);
  }
  const result = credential.safeParse(value);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw failed(`printed no ExecCredential: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  const { apiVersion, status } = result.data;
  if (apiVersion !== exec.apiVersion) throw failed(`answered in ${apiVersion}, but was asked in ${exec.apiVersion}`);
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = status;
  if (!token && !(cert && key)) throw failed('printed neither a token nor a certificate with its key');
  if (expirationTimestamp && Number.isNaN(Date.parse(expirationTimestamp))) {
    throw failed(`printed "${expirationTimestamp}" as the time of expiry`);
  }
  return result.data;
}

function start(
  exec: KubeconfigExec,
  context: ExecContext,
  failed: (why: string, cause?: unknown) => KubeError,
): Promise<string> {
  const isPath = exec.command.includes('/') && !isAbsolute(exec.command);
  const command = isPath ? resolve(dirname(context.file), exec.command) : exec.command;
  const env = {
    ...process.env,
    ...Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value])),
    KUBERNETES_EXEC_INFO: JSON.stringify(request(exec, context)),
  };
  return new Promise((resolve, reject) => {
    const child = execFile(
      command,
      exec.args ?? [],
      { env, timeout: longestMs, killSignal: 'SIGKILL', maxBuffer: 1 << 20, windowsHide: true },
      (error, stdout, stderr) => {
        if (!error) return resolve(stdout);
        const said = stderr.trim() ? `: ${firstLine(stderr)}` : '';
        if (error.code === 'ENOENT') return reject(failed('was not found', error));
        if (error.killed) return reject(failed(`did not end within ${longestMs / 1000} s${said}`, error));
        const how = typeof error.code === 'number' ? `ended with code ${error.code}` : firstLine(error);
        reject(failed(`${how}${said}`, error));
      },
    );
    // Nobody will type anything. The pipe may be gone already when the program ends at once.
    child.stdin?.on('error', () => {}).end();
  });
}

/** What the plugin is told in its environment. */
function request(exec: KubeconfigExec, { server, tls, cluster }: ExecContext): unknown {
  const ca = tls.ca && Buffer.from(tls.ca).toString('base64');
  const config = cluster.extensions?.find(({ name }) => name === 'client.authentication.k8s.io/exec')?.extension;
  return {
    kind: 'ExecCredential',
    apiVersion: exec.apiVersion,
    spec: {
      interactive: false,
      ...(exec.provideClusterInfo && {
        cluster: {
          server,
          ...(tls.serverName && { 'tls-server-name': tls.serverName }),
          ...(tls.insecure && { 'insecure-skip-tls-verify': true }),
          ...(ca && { 'certificate-authority-data': ca }),
          ...(config !== undefined && { config }),
        },
      }),
    },
  };
}
