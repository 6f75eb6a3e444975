import { mkdir, rename, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import packageJson from '../package.json' with { type: 'json' };
import { nodeTooOld } from './cli/node-too-old.ts';
import { type EmbeddedOptions, type OperatorOptions, program } from './cli/program.ts';
import { welcome } from './cli/welcome.ts';
import { realRandom } from './clock/random.ts';
import { realClock } from './clock/real.ts';
import type { OperatorOptions as RunOptions } from './control/operator.ts';

/** The composition root: the only file that knows everybody. What a command needs is loaded when it runs. */

/** The port where people expect an API server. */
const usualPort = 6443;

/** How each controller is made, by the name that `--off` and `--takeover` take. */
const controllers: RunOptions['controllers'] = {};

const tooOld = nodeTooOld(process.versions.node, packageJson.engines.node);
if (tooOld !== undefined) complain(tooOld);
else
  await program({ embedded, operator, version: () => packageJson.version, controllers: Object.keys(controllers) })
    .parseAsync()
    .catch(fail);

async function embedded(options: EmbeddedOptions): Promise<void> {
  // A young generation that grows with every burst would double the memory of a server whose garbage dies at once.
  setFlagsFromString('--semi-space-growth-factor=1');
  withoutExperimentalWarnings();
  const { createEmbedded } = await import('./embedded/embedded.ts');
  const stop = stopSignal();
  const cluster = await createEmbedded({
    clock: realClock,
    random: realRandom,
    ...(options.data !== undefined && { data: resolve(options.data) }),
    trouble: (what, error) => void process.stderr.write(`cutover: ${what}: ${(error as Error)?.stack ?? error}\n`),
  });
  try {
    const taken = (error: NodeJS.ErrnoException): boolean => error.code === 'EADDRINUSE' && options.port === undefined;
    const { url, kubeconfig } = await cluster
      .listen({ port: options.port ?? usualPort })
      .catch((error) => (taken(error) ? cluster.listen({ port: 0 }) : Promise.reject(error)));
    const path = resolve(options.kubeconfig);
    await writePrivately(path, kubeconfig).catch((error: NodeJS.ErrnoException) => {
      throw Object.assign(error, { message: `the kubeconfig file ${path} cannot be written: ${error.message}` });
    });
    const note =
      options.port === undefined && !url.endsWith(`:${usualPort}`) ? `port ${usualPort} is taken` : undefined;
    process.stdout.write(
      welcome({
        url,
        kubeconfig: path,
        version: packageJson.version,
        ...(options.data !== undefined && { data: options.data }),
        ...(note !== undefined && { note }),
      }),
    );
    await aborted(stop);
    process.stdout.write('Stopping.\n');
  } finally {
    await cluster.close();
  }
}

async function operator(options: OperatorOptions): Promise<void> {
  const stop = stopSignal();
  const [
    { runOperator },
    { createLog },
    { createMetrics },
    { metered },
    { Client },
    { httpTransport },
    { findAccess },
  ] = await Promise.all([
    import('./control/operator.ts'),
    import('./control/log.ts'),
    import('./control/metrics.ts'),
    import('./control/metered.ts'),
    import('./kube/client.ts'),
    import('./kube/http-transport.ts'),
    import('./kube/kubeconfig/find-access.ts'),
  ]);
  const access = await findAccess({ ...options, env: process.env, clock: realClock });
  const log = createLog({ level: options.logLevel });
  const metrics = createMetrics({ process: true });
  const transport = metered(httpTransport({ ...access, clock: realClock }), metrics, realClock);
  const client = new Client(transport, { userAgent: `cutover/${packageJson.version}` });
  log.info({ server: access.server, from: access.source, version: packageJson.version }, 'starting');
  try {
    const end = await runOperator({
      client,
      clock: realClock,
      random: realRandom,
      log,
      metrics,
      controllers,
      off: options.off,
      takeover: options.takeover,
      signal: stop,
      instance: process.env.POD_NAME ?? hostname(),
      observeOnly: options.observeOnly,
      health: { port: options.healthPort },
      ...(options.leaderElect && { lease: { namespace: options.leaseNamespace, name: 'cutover' } }),
    });
    if (end === 'lost') process.exitCode = 1;
  } finally {
    await client.close();
  }
}

/** Node's SQLite announces itself as experimental; whoever starts a cluster has nothing to do about that. */
function withoutExperimentalWarnings(): void {
  const emitWarning = process.emitWarning.bind(process) as (...args: unknown[]) => void;
  process.emitWarning = (...args: unknown[]) => {
    if (args[1] !== 'ExperimentalWarning') emitWarning(...args);
  };
}

/** Aborts on the first Ctrl-C or SIGTERM; the second one ends the process at once. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  const onSignal = (): void => {
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return stop.signal;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) return done();
    signal.addEventListener('abort', () => done(), { once: true });
  });
}

/** Writes a file that holds a private key: readable by its owner only, never half-written. */
async function writePrivately(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const aside = `${path}.${process.pid}`;
  await writeFile(aside, text, { mode: 0o600 });
  await rename(aside, path);
}

function fail(error: unknown): void {
  complain(lineOf(error));
}

/** A failure that a person can act on is one line; anything else is a bug, and its stack helps to mend it. */
function lineOf(error: unknown): string {
  const known =
    error instanceof Error &&
    (error.name !== 'Error' ? !/^(Type|Range|Reference|Syntax)Error$/.test(error.name) : 'code' in error);
  if (!known) return `this is a bug, please report it: ${(error as Error)?.stack ?? error}`;
  const { code, port, message } = error as NodeJS.ErrnoException & { readonly port?: number };
  if (code !== 'EADDRINUSE') return message;
  return `port ${port} is taken by another program; choose another one, or 0 for any that is free`;
}

function complain(line: string): void {
  process.stderr.write(`cutover: ${line}\n`);
  process.exitCode = 1;
}
