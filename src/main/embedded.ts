import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { writePrivately } from '../cli/private-file.ts';
import type { EmbeddedOptions } from '../cli/program.ts';
import { aborted, stopSignal } from '../cli/stop-signal.ts';
import { type Beside, type FirstMinute, type Sample, welcome } from '../cli/welcome.ts';
import { realRandom } from '../clock/random.ts';
import { realClock } from '../clock/real.ts';
import type { Embedded } from '../embedded/embedded.ts';
import { version } from './version.ts';

/** The port where people expect an API server. */
const usualPort = 6443;

/** A Kubernetes and nothing in it. */
export async function embedded(options: EmbeddedOptions): Promise<void> {
  const stop = stopSignal();
  await using cluster = await openCluster(options);
  greet(await listen(cluster, options), options);
  await aborted(stop);
  process.stdout.write('Stopping.\n');
}

export async function openCluster(options: EmbeddedOptions): Promise<Embedded & AsyncDisposable> {
  // A young generation that grows with every burst would double the memory of a server whose garbage dies at once.
  setFlagsFromString('--semi-space-growth-factor=1');
  withoutExperimentalWarnings();
  const { createEmbedded } = await import('../embedded/embedded.ts');
  const cluster = await createEmbedded({
    clock: realClock,
    random: realRandom,
    ...(options.data !== undefined && { data: resolve(options.data) }),
    trouble: (what, error) => void process.stderr.write(`cutover: ${what}: ${troubleOf(error)}\n`),
  });
  return Object.assign(cluster, { [Symbol.asyncDispose]: () => cluster.close() });
}

/** What a person can mend, such as a full disk, is one line; whatever else it may be is a bug, and its stack helps to mend it. */
function troubleOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'DataError' ? error.message : (error.stack ?? error.message);
}

/** Where an embedded cluster is found. */
export interface OpenDoor {
  readonly url: string;
  /** The path of the file. */
  readonly kubeconfig: string;
}

/** Listens, and writes the kubeconfig. */
export async function listen(cluster: Embedded, options: EmbeddedOptions): Promise<OpenDoor> {
  const taken = (error: NodeJS.ErrnoException): boolean => error.code === 'EADDRINUSE' && options.port === undefined;
  const { url, kubeconfig } = await cluster
    .listen({ port: options.port ?? usualPort })
    .catch((error) => (taken(error) ? cluster.listen({ port: 0 }) : Promise.reject(error)));
  const path = resolve(options.kubeconfig);
  await writePrivately(path, kubeconfig).catch((error: NodeJS.ErrnoException) => {
    throw Object.assign(error, { message: `the kubeconfig file ${path} cannot be written: ${error.message}` });
  });
  return { url, kubeconfig: path };
}

/** Says where everything is. */
export function greet(
  { url, kubeconfig }: OpenDoor,
  options: EmbeddedOptions,
  samples?: readonly Sample[],
  beside?: readonly Beside[],
  firstMinute?: FirstMinute,
): void {
  const note = options.port === undefined && !url.endsWith(`:${usualPort}`) ? `port ${usualPort} is taken` : undefined;
  process.stdout.write(
    welcome({
      url,
      kubeconfig,
      version,
      ...(options.data !== undefined && { data: options.data }),
      ...(note !== undefined && { note }),
      ...(samples && { samples }),
      ...(beside && { beside }),
      ...(firstMinute && { firstMinute }),
    }),
  );
}

/** Node's SQLite announces itself as experimental; whoever starts a cluster has nothing to do about that. */
function withoutExperimentalWarnings(): void {
  const emitWarning = process.emitWarning.bind(process) as (...args: unknown[]) => void;
  process.emitWarning = (...args: unknown[]) => {
    if (args[1] !== 'ExperimentalWarning') emitWarning(...args);
  };
}
