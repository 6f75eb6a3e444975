import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { firstLine, KubeconfigError } from './kubeconfig-error.ts';

const text = z.string().optional();

const cluster = z.object({
  server: text,
  'certificate-authority': text,
  'certificate-authority-data': text,
  'insecure-skip-tls-verify': z.boolean().optional(),
  'tls-server-name': text,
  'proxy-url': text,
  extensions: z.array(z.object({ name: z.string(), extension: z.unknown() })).nullish(),
});

const exec = z.object({
  apiVersion: text,
  command: z.string(),
  args: z.array(z.string()).nullish(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
  installHint: text,
  provideClusterInfo: z.boolean().optional(),
  interactiveMode: z.enum(['Never', 'IfAvailable', 'Always']).optional(),
});

const user = z.object({
  token: text,
  tokenFile: text,
  'client-certificate': text,
  'client-certificate-data': text,
  'client-key': text,
  'client-key-data': text,
  username: text,
  password: text,
  exec: exec.nullish(),
  'auth-provider': z.object({ name: text }).nullish(),
  as: text,
  'as-uid': text,
  'as-groups': z.array(z.string()).nullish(),
  'as-user-extra': z.record(z.string(), z.array(z.string())).nullish(),
});

const context = z.object({ cluster: text, user: text, namespace: text });

const file = z.object({
  clusters: z.array(z.object({ name: z.string(), cluster: cluster.nullish() })).nullish(),
  users: z.array(z.object({ name: z.string(), user: user.nullish() })).nullish(),
  contexts: z.array(z.object({ name: z.string(), context: context.nullish() })).nullish(),
  'current-context': z.string().nullish(),
});

export type KubeconfigCluster = z.infer<typeof cluster>;
export type KubeconfigUser = z.infer<typeof user>;
export type KubeconfigExec = z.infer<typeof exec>;
type KubeconfigContext = z.infer<typeof context>;

/** An entry and the file it came from: paths in it are relative to that file. */
export interface Entry<T> {
  readonly file: string;
  readonly value: T;
}

/** What one or several kubeconfig files say together. */
export interface Kubeconfig {
  /** The files that were there, in order. */
  readonly files: readonly string[];
  readonly clusters: ReadonlyMap<string, Entry<KubeconfigCluster>>;
  readonly users: ReadonlyMap<string, Entry<KubeconfigUser>>;
  readonly contexts: ReadonlyMap<string, Entry<KubeconfigContext>>;
  readonly currentContext: string | undefined;
}

/** The files that kubectl would read: those of `KUBECONFIG`, else the one in the home directory. */
export function kubeconfigPaths(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const listed = (env.KUBECONFIG ?? '').split(delimiter).filter((path) => path !== '');
  return listed.length > 0 ? listed : [join(homedir(), '.kube', 'config')];
}

/**
 * Reads and merges kubeconfig files as kubectl does: of entries with the same name the first wins, of current contexts
 * the first that is set. A file that does not exist is passed over, unless none does.
 */
export async function readKubeconfig(paths: readonly string[]): Promise<Kubeconfig> {
  const files: string[] = [];
  const clusters = new Map<string, Entry<KubeconfigCluster>>();
  const users = new Map<string, Entry<KubeconfigUser>>();
  const contexts = new Map<string, Entry<KubeconfigContext>>();
  let currentContext: string | undefined;

  for (const path of paths) {
    const content = await readIfThere(path);
    if (content === undefined) continue;
    files.push(path);
    const config = parseFile(path, content);
    for (const { name, cluster } of config.clusters ?? [])
      addFirst(clusters, name, { file: path, value: cluster ?? {} });
    for (const { name, user } of config.users ?? []) addFirst(users, name, { file: path, value: user ?? {} });
    for (const { name, context } of config.contexts ?? [])
      addFirst(contexts, name, { file: path, value: context ?? {} });
    currentContext ||= config['current-context'] || undefined;
  }
  if (files.length === 0) throw new KubeconfigError(`no kubeconfig: there is no file ${paths.join(' or ')}`);
  return { files, clusters, users, contexts, currentContext };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new KubeconfigError(`kubeconfig ${path}: ${firstLine(error)}`, { cause: error });
  }
}

function parseFile(path: string, content: string): z.infer<typeof file> {
  let value: unknown;
  try {
    // Without the parser's warnings: it would print them between the lines of a command.
    value = parse(content, { logLevel: 'error' }) ?? {};
  } catch (cause) {
    throw new KubeconfigError(`kubeconfig ${path}: not YAML: ${firstLine(cause)}`, { cause });
  }
  const result = file.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue?.path.join('.');
  throw new KubeconfigError(
    `kubeconfig ${path}: ${field ? `${field}: ${issue?.message}` : 'this is not a kubeconfig file'}`,
  );
}

function addFirst<T>(entries: Map<string, T>, name: string, entry: T): void {
  if (!entries.has(name)) entries.set(name, entry);
}
