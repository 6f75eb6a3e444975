import { mkdir, rename, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import packageJson from '../package.json' with { type: 'json' };
import { nodeTooOld } from './cli/node-too-old.ts';
import { type EmbeddedOptions, type OperatorOptions, program, type StartOptions } from './cli/program.ts';
import { type Sample, welcome } from './cli/welcome.ts';
import { realRandom } from './clock/random.ts';
import { realClock } from './clock/real.ts';
import type { Log } from './control/log.ts';
import type { Mirror } from './control/mirror.ts';
import type { OperatorEnd, OperatorOptions as RunOptions } from './control/operator.ts';
import type { Embedded } from './embedded/embedded.ts';
import type { OperatorConfig } from './flink/config/operator-config.ts';
import type { Client } from './kube/client.ts';
import type { Surroundings } from './portrait/family.ts';

/** The composition root: the only file that knows everybody. What a command needs is loaded when it runs. */

/** The port where people expect an API server. */
const usualPort = 6443;

/** The names that `--off` and `--takeover` take; `controllersOf` makes what they name. */
const controllerNames = ['flinkdeployment', 'flinksessionjob', 'flinkstatesnapshot', 'flinkbluegreendeployment'];

const tooOld = nodeTooOld(process.versions.node, packageJson.engines.node);
if (tooOld !== undefined) complain(tooOld);
else
  await program({ start, embedded, operator, version: () => packageJson.version, controllers: controllerNames })
    .parseAsync()
    .catch(fail);

/** A Kubernetes and nothing in it. */
async function embedded(options: EmbeddedOptions): Promise<void> {
  const stop = stopSignal();
  await using cluster = await openCluster(options);
  await listen(cluster, options);
  await aborted(stop);
  process.stdout.write('Stopping.\n');
}

/** A Kubernetes, the operator, and samples that follow their files. */
async function start(options: StartOptions): Promise<void> {
  const stop = stopSignal();
  const [{ Client }, { install }, { followManifest, prepareManifest }, { tellNews }, { samples }, told] =
    await Promise.all([
      import('./kube/client.ts'),
      import('./cli/install.ts'),
      import('./cli/manifest-file.ts'),
      import('./cli/news.ts'),
      import('./flink/sample.ts'),
      import('./flink/news.ts'),
    ]);
  const files =
    options.sample === undefined
      ? samples.map((sample) => ({ ...sample, path: resolve('.cutover', sample.file) }))
      : [{ ...samples[0], path: resolve(options.sample) }];
  for (const { path, manifest } of files) await prepareManifest(path, manifest);
  await using cluster = await openCluster(options);
  const client = new Client(cluster.transport(), { userAgent: `cutover/${packageJson.version}` });
  const { definitions } = await import('./flink/family.ts');
  await install(client, definitions(), stop);
  await listen(cluster, options, files);
  const say = (line: string): void => void process.stdout.write(`  ${timeOfDay()}  ${line}\n`);
  const { followed, toldAnyway: except } = told;
  const from = 'cutover.dev/operator';
  const news = tellNews({ client, clock: realClock, from, except, followed, say, signal: stop });
  // What a person can act on is told as news; what is left for the log is a bug.
  const running = runWith(client, { logLevel: 'error', signal: stop, way: 'proxy', options: { instance: 'start' } });
  for (const { path } of files) await followManifest({ path, client, clock: realClock, say, signal: stop });
  await Promise.all([running, news, aborted(stop)]);
  process.stdout.write('Stopping.\n');
}

/** `14:02:59`, where the person is. */
function timeOfDay(): string {
  return new Date(realClock.now()).toTimeString().slice(0, 8);
}

async function openCluster(options: EmbeddedOptions): Promise<Embedded & AsyncDisposable> {
  // A young generation that grows with every burst would double the memory of a server whose garbage dies at once.
  setFlagsFromString('--semi-space-growth-factor=1');
  withoutExperimentalWarnings();
  const { createEmbedded } = await import('./embedded/embedded.ts');
  const cluster = await createEmbedded({
    clock: realClock,
    random: realRandom,
    ...(options.data !== undefined && { data: resolve(options.data) }),
    trouble: (what, error) => void process.stderr.write(`cutover: ${what}: ${(error as Error)?.stack ?? error}\n`),
  });
  return Object.assign(cluster, { [Symbol.asyncDispose]: () => cluster.close() });
}

/** Listens, writes the kubeconfig and says where everything is. */
async function listen(cluster: Embedded, options: EmbeddedOptions, samples?: readonly Sample[]): Promise<void> {
  const taken = (error: NodeJS.ErrnoException): boolean => error.code === 'EADDRINUSE' && options.port === undefined;
  const { url, kubeconfig } = await cluster
    .listen({ port: options.port ?? usualPort })
    .catch((error) => (taken(error) ? cluster.listen({ port: 0 }) : Promise.reject(error)));
  const path = resolve(options.kubeconfig);
  await writePrivately(path, kubeconfig).catch((error: NodeJS.ErrnoException) => {
    throw Object.assign(error, { message: `the kubeconfig file ${path} cannot be written: ${error.message}` });
  });
  const note = options.port === undefined && !url.endsWith(`:${usualPort}`) ? `port ${usualPort} is taken` : undefined;
  process.stdout.write(
    welcome({
      url,
      kubeconfig: path,
      version: packageJson.version,
      ...(options.data !== undefined && { data: options.data }),
      ...(note !== undefined && { note }),
      ...(samples && { samples }),
    }),
  );
}

/** The operator on the cluster that it is given access to. */
async function operator(options: OperatorOptions): Promise<void> {
  // Memory is what an operator costs all day: collect garbage early rather than let the heap grow with every burst.
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=25');
  const stop = stopSignal();
  const [{ createMetrics }, { metered }, { Client }, { httpTransport }, { findAccess }] = await Promise.all([
    import('./control/metrics.ts'),
    import('./control/metered.ts'),
    import('./kube/client.ts'),
    import('./kube/http-transport.ts'),
    import('./kube/kubeconfig/find-access.ts'),
  ]);
  const access = await findAccess({ ...options, env: process.env, clock: realClock });
  const metrics = createMetrics({ process: true });
  const transport = metered(httpTransport({ ...access, clock: realClock }), metrics, realClock);
  const client = new Client(transport, { userAgent: `cutover/${packageJson.version}` });
  // Only inside of a cluster Services have names.
  const inside = process.env.KUBERNETES_SERVICE_HOST !== undefined && options.kubeconfig === undefined;
  const end = await runWith(client, {
    logLevel: options.logLevel,
    signal: stop,
    way: options.flinkRest ?? (inside ? 'direct' : 'proxy'),
    ...(options.flinkConfig !== undefined && { flinkConfig: options.flinkConfig }),
    ...(options.webhookPort !== undefined &&
      options.webhookCerts !== undefined && {
        webhooks: { port: options.webhookPort, directory: options.webhookCerts },
      }),
    hello: { server: access.server, from: access.source, version: packageJson.version },
    options: {
      metrics,
      off: options.off,
      takeover: options.takeover,
      instance: process.env.POD_NAME ?? hostname(),
      observeOnly: options.observeOnly,
      health: { port: options.healthPort },
      ...(options.leaderElect && { lease: { namespace: options.leaseNamespace, name: 'cutover' } }),
    },
  });
  if (end === 'lost') process.exitCode = 1;
}

interface Run {
  readonly logLevel: OperatorOptions['logLevel'];
  readonly signal: AbortSignal;
  /** How JobManagers are reached. */
  readonly way: string;
  /** File or directory with the configuration of the Flink family. */
  readonly flinkConfig?: string;
  readonly webhooks?: { readonly port: number; readonly directory: string };
  /** What to say when it starts. */
  readonly hello?: Readonly<Record<string, string>>;
  readonly options: Pick<RunOptions, 'instance'> & Partial<RunOptions>;
}

/** Runs all controllers until the signal aborts or the lease is lost, and closes the client. */
async function runWith(
  client: Client,
  { logLevel, signal, way, flinkConfig, webhooks, hello, options }: Run,
): Promise<OperatorEnd> {
  const [
    { runOperator },
    { createLog },
    { createMetrics },
    { flinkControllers },
    { openWire },
    { watchOperatorConfig },
  ] = await Promise.all([
    import('./control/operator.ts'),
    import('./control/log.ts'),
    import('./control/metrics.ts'),
    import('./flink/controllers.ts'),
    import('./flink/ports/open-wire.ts'),
    import('./flink/config/watch-operator-config.ts'),
  ]);
  const log = createLog({ level: logLevel });
  const config = await watchOperatorConfig(flinkConfig, realClock, (problem) =>
    log.warn({ problem }, 'the new configuration of Flink cannot be used; the one before it holds'),
  );
  const wire = openWire({ way, client, clock: realClock, env: process.env });
  const shared = { client, clock: realClock, random: realRandom };
  const namespace = process.env.POD_NAMESPACE ?? process.env.OPERATOR_NAMESPACE;
  const controllers = flinkControllers({
    ...shared,
    wire,
    operator: config.current,
    env: process.env,
    ...(namespace !== undefined && { namespace }),
  });
  if (hello) log.info(hello, 'starting');
  const mirrors: Mirror[] = [];
  const hooks = webhooks && (await serveHooks(webhooks, config.current, mirrors, log));
  try {
    const metrics = options.metrics ?? createMetrics({ process: false });
    const onCaches = (caches: Mirror): void => void mirrors.push(caches);
    return await runOperator({ ...shared, log, metrics, controllers, signal, onCaches, ...options });
  } finally {
    await hooks?.close();
    config.stop();
    await wire.close();
    await client.close();
  }
}

/** The admission webhooks, which every replica serves: they look at others in the caches of the operator, once it has some. */
async function serveHooks(
  { port, directory }: NonNullable<Run['webhooks']>,
  config: () => OperatorConfig,
  mirrors: readonly Mirror[],
  log: Log,
): Promise<{ close(): Promise<void> }> {
  const [{ serveAdmissionFromFiles }, { flinkFamily, flinkHooks }] = await Promise.all([
    import('./control/admission-from-files.ts'),
    import('./flink/family.ts'),
  ]);
  const surroundings: Surroundings = {
    find: (type, namespace, name) => mirrors[0]?.peek(type, { namespace, name }) ?? 'unknown',
  };
  const hooks = flinkHooks(flinkFamily(config), surroundings);
  return serveAdmissionFromFiles({ port, directory: resolve(directory), hooks, log });
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
