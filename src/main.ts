import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import packageJson from '../package.json' with { type: 'json' };
import { complain, fail } from './cli/complaint.ts';
import { freePort } from './cli/free-port.ts';
import { nodeTooOld } from './cli/node-too-old.ts';
import { writePrivately } from './cli/private-file.ts';
import { type EmbeddedOptions, type OperatorOptions, program, type StartOptions } from './cli/program.ts';
import { aborted, stopSignal } from './cli/stop-signal.ts';
import { type Beside, type Sample, welcome } from './cli/welcome.ts';
import type { Clock } from './clock/clock.ts';
import { type Random, realRandom } from './clock/random.ts';
import { realClock } from './clock/real.ts';
import type { CfApiDoor } from './cloudfoundry/open-cloud-foundry.ts';
import type { ImageRegistry } from './cloudfoundry/ports/image-registry.ts';
import type { Hook } from './control/admission.ts';
import type { Caches } from './control/caches.ts';
import type { Log } from './control/log.ts';
import type { Mirror } from './control/mirror.ts';
import type { OperatorEnd, OperatorOptions as RunOptions } from './control/operator.ts';
import type { Embedded } from './embedded/embedded.ts';
import type { Client } from './kube/client.ts';
import type { Surroundings } from './portrait/family.ts';

/** The composition root: the only file that knows everybody. What a command needs is loaded when it runs. */

/** The port where people expect an API server. */
const usualPort = 6443;

/** What one caller of the CF API may take of the API server at once, however much he asks for. */
const ofCallers = { maxConnections: 16 };

/** The families, the group of their kinds, and the names that `--off` and `--takeover` take. */
const families = {
  flink: {
    group: 'flink.apache.org',
    controllers: ['flinkdeployment', 'flinksessionjob', 'flinkstatesnapshot', 'flinkbluegreendeployment'],
  },
  cloudfoundry: {
    group: 'korifi.cloudfoundry.org',
    controllers: [
      ...['cforg', 'cfspace', 'cfdomain', 'cfroute', 'cfapp', 'cfprocess', 'cfpackage', 'cfbuild', 'cfdeployment'],
      ...['cftask', 'appworkload', 'runnerinfo', 'taskworkload'],
    ],
  },
} as const;
type FamilyName = keyof typeof families;
const familyNames = Object.keys(families) as readonly FamilyName[];
const controllerNames = familyNames.flatMap((name) => families[name].controllers);

const tooOld = nodeTooOld(process.versions.node, packageJson.engines.node);
if (tooOld !== undefined) complain(tooOld);
else
  await program({
    start,
    embedded,
    operator,
    version: () => packageJson.version,
    controllers: controllerNames,
    families: familyNames,
  })
    .parseAsync()
    .catch(fail);

/** A Kubernetes and nothing in it. */
async function embedded(options: EmbeddedOptions): Promise<void> {
  const stop = stopSignal();
  await using cluster = await openCluster(options);
  greet(await listen(cluster, options), options);
  await aborted(stop);
  process.stdout.write('Stopping.\n');
}

/** A Kubernetes, the operator with everything that it offers, and samples that follow their files. */
async function start(options: StartOptions): Promise<void> {
  const stop = stopSignal();
  const [{ Client }, { install }, { followManifest, prepareManifest }, { tellNews }, { samples }, told, cf, cfTold] =
    await Promise.all([
      import('./kube/client.ts'),
      import('./cli/install.ts'),
      import('./cli/manifest-file.ts'),
      import('./cli/news.ts'),
      import('./flink/sample.ts'),
      import('./flink/news.ts'),
      import('./cloudfoundry/sample.ts'),
      import('./cloudfoundry/news.ts'),
    ]);
  const files =
    options.sample === undefined
      ? samples.map((sample) => ({ ...sample, path: resolve('.cutover', sample.file) }))
      : [{ ...samples[0], path: resolve(options.sample) }];
  for (const { path, manifest } of files) await prepareManifest(path, manifest);
  await using cluster = await openCluster(options);
  const client = new Client(cluster.transport(), { userAgent: `cutover/${packageJson.version}` });
  const [flink, cloudFoundry] = await Promise.all([import('./flink/family.ts'), import('./cloudfoundry/family.ts')]);
  await install(client, [...flink.definitions(), ...cloudFoundry.definitions()], stop);
  const door = await listen(cluster, options);
  const api = await cfApiOf(door.kubeconfig, options.cfApiPort);
  await prepareCloudFoundry(client, stop);
  const served = Promise.withResolvers<string>();
  const onServed = (port: number): void => served.resolve(`http://127.0.0.1:${port}`);
  // What a person can act on is told as news; what is left for the log is a bug.
  const running = runWith(client, {
    logLevel: 'error',
    signal: stop,
    families: familyNames,
    way: 'proxy',
    cloudFoundry: { config: api.config, api: api.door, registry: cf.noRegistry, onServed },
    options: { instance: 'start' },
  });
  running.catch(served.reject);
  const url = await served.promise;
  const commands = cf.commands(url, `${process.cwd()}/.cutover`, api.user);
  greet(door, options, files, { label: 'CF API', url, tool: 'the cf CLI (version 8)', commands });
  const say = (line: string): void => void process.stdout.write(`  ${timeOfDay()}  ${line}\n`);
  const followed = [...told.followed, ...cfTold.followed];
  const except = [...told.toldAnyway, ...cfTold.toldAnyway];
  const from = 'cutover.dev/operator';
  const news = tellNews({ client, clock: realClock, from, except, followed, say, signal: stop });
  for (const { path } of files) await followManifest({ path, client, clock: realClock, say, signal: stop });
  const pause = (ms: number): Promise<void> => new Promise((done) => void realClock.after(ms, done));
  const pushed = cf
    .pushSample({ url, authorization: api.authorization, fetch, pause, signal: stop })
    .catch((error: Error) => void (stop.aborted || say(`the sample app could not be pushed: ${error.message}`)));
  await Promise.all([running, news, pushed, aborted(stop)]);
  process.stdout.write('Stopping.\n');
}

/** What Cloud Foundry needs beside its definitions. */
async function prepareCloudFoundry(client: Client, signal: AbortSignal): Promise<void> {
  const [{ installation }, { defaultSettings }, { discover }] = await Promise.all([
    import('./cloudfoundry/install/installation.ts'),
    import('./cloudfoundry/settings.ts'),
    import('./kube/discover.ts'),
  ]);
  for (const object of installation(defaultSettings)) {
    const type = await discover(client, object.apiVersion, object.kind);
    await client.resource(type).apply(object, { manager: 'cutover', force: true, signal });
  }
}

/** The door of the CF API on this machine, and the administrator's way through it. */
async function cfApiOf(
  kubeconfig: string,
  port: number | undefined,
): Promise<{
  readonly door: CfApiDoor;
  readonly config: string;
  readonly user: string;
  readonly authorization: string;
}> {
  const [{ findAccess }, { Client }, { httpTransport }, { fixedIdentity }] = await Promise.all([
    import('./kube/kubeconfig/find-access.ts'),
    import('./kube/client.ts'),
    import('./kube/http-transport.ts'),
    import('./kube/identity.ts'),
  ]);
  const access = await findAccess({ kubeconfig, env: {}, clock: realClock });
  const { cert = '', key = '' } = (await access.identity.current()).certificate ?? {};
  const clientFor: CfApiDoor['clientFor'] = (identity) =>
    new Client(httpTransport({ ...access, ...ofCallers, identity: fixedIdentity(identity), clock: realClock }));
  const at = port ?? (await freePort(8443));
  return {
    door: { port: at, host: '127.0.0.1', clientFor },
    // Which one 0 becomes is known too late to be told to apps.
    config: at === 0 ? '' : `apiUrl: http://127.0.0.1:${at}`,
    user: 'cutover-admin',
    authorization: `ClientCert ${Buffer.from(`${cert}${key}`).toString('base64')}`,
  };
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

/** Where an embedded cluster is found. */
interface OpenDoor {
  readonly url: string;
  /** The path of the file. */
  readonly kubeconfig: string;
}

/** Listens, and writes the kubeconfig. */
async function listen(cluster: Embedded, options: EmbeddedOptions): Promise<OpenDoor> {
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
function greet(
  { url, kubeconfig }: OpenDoor,
  options: EmbeddedOptions,
  samples?: readonly Sample[],
  beside?: Beside,
): void {
  const note = options.port === undefined && !url.endsWith(`:${usualPort}`) ? `port ${usualPort} is taken` : undefined;
  process.stdout.write(
    welcome({
      url,
      kubeconfig,
      version: packageJson.version,
      ...(options.data !== undefined && { data: options.data }),
      ...(note !== undefined && { note }),
      ...(samples && { samples }),
      ...(beside && { beside }),
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
  const { fixedIdentity } = await import('./kube/identity.ts');
  const clientFor: CfApiDoor['clientFor'] = (identity) =>
    new Client(httpTransport({ ...access, ...ofCallers, identity: fixedIdentity(identity), clock: realClock }), {
      userAgent: `cutover-cf-api/${packageJson.version}`,
    });
  const end = await runWith(client, {
    logLevel: options.logLevel,
    signal: stop,
    families: options.family.length > 0 ? (options.family as FamilyName[]) : await installed(client, stop),
    way: options.flinkRest ?? (inside ? 'direct' : 'proxy'),
    cloudFoundry: {
      ...(options.cfConfig !== undefined && { config: await readFile(options.cfConfig, 'utf8') }),
      ...(options.cfApiPort !== undefined && {
        api: {
          port: options.cfApiPort,
          host: options.cfApiHost,
          trustForwarded: options.cfTrustForwarded,
          ...(options.cfApiCerts !== undefined && { certificates: resolve(options.cfApiCerts) }),
          clientFor,
        },
      }),
    },
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

/** The families whose definitions the cluster has; all of them when it has none yet, so that somebody waits for them. */
async function installed(client: Client, signal: AbortSignal): Promise<readonly FamilyName[]> {
  const { groups } = await client.json<{ readonly groups: readonly { readonly name: string }[] }>({
    method: 'GET',
    path: '/apis',
    signal,
  });
  const found = familyNames.filter((name) => groups.some((group) => group.name === families[name].group));
  return found.length > 0 ? found : familyNames;
}

interface Run {
  readonly logLevel: OperatorOptions['logLevel'];
  readonly signal: AbortSignal;
  readonly families: readonly FamilyName[];
  /** How JobManagers are reached. */
  readonly way: string;
  /** File or directory with the configuration of the Flink family. */
  readonly flinkConfig?: string;
  readonly cloudFoundry?: CloudFoundryRun;
  readonly webhooks?: { readonly port: number; readonly directory: string };
  /** What to say when it starts. */
  readonly hello?: Readonly<Record<string, string>>;
  readonly options: Pick<RunOptions, 'instance'> & Partial<RunOptions>;
}

interface CloudFoundryRun {
  /** The text of its configuration. */
  readonly config?: string;
  readonly api?: CfApiDoor;
  readonly registry?: ImageRegistry;
  /** Told where the API is served. */
  readonly onServed?: (port: number) => void;
}

/** A family that runs. */
interface Running {
  readonly controllers: RunOptions['controllers'];
  /** The admission hooks that every replica serves: they look at others in the caches of the operator, once it has some. */
  readonly hooks: (surroundings: Surroundings) => Promise<Readonly<Record<string, Hook>>>;
  onCaches?(caches: Caches): void;
  /** After `onCaches`. */
  serve?(): Promise<void>;
  close(): Promise<void>;
}

interface Common {
  readonly client: Client;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: Random;
}

/** Runs all controllers until the signal aborts or the lease is lost, and closes the client. */
async function runWith(client: Client, run: Run): Promise<OperatorEnd> {
  const { logLevel, signal, webhooks, hello, options } = run;
  const [{ runOperator }, { createLog }, { createMetrics }] = await Promise.all([
    import('./control/operator.ts'),
    import('./control/log.ts'),
    import('./control/metrics.ts'),
  ]);
  const log = createLog({ level: logLevel });
  const shared = { client, log, clock: realClock, random: realRandom };
  const running: Running[] = [];
  if (run.families.includes('flink')) running.push(await openFlink(shared, run));
  if (run.families.includes('cloudfoundry')) running.push(await openCloudFoundry(shared, run.cloudFoundry ?? {}));
  if (hello) log.info({ ...hello, families: run.families }, 'starting');
  const mirrors: Mirror[] = [];
  let hooks: { close(): Promise<void> } | undefined;
  let served: Promise<unknown> = Promise.resolve();
  try {
    hooks = webhooks && (await serveHooks(webhooks, running, mirrors, log));
    const metrics = options.metrics ?? createMetrics({ process: false });
    const onCaches = (caches: Caches): void => {
      mirrors.push(caches);
      for (const family of running) family.onCaches?.(caches);
      served = Promise.all(running.map((family) => family.serve?.()));
    };
    const controllers = Object.assign({}, ...running.map((family) => family.controllers)) as RunOptions['controllers'];
    // A door that cannot be opened ends everything: whoever asked for it must hear of it.
    const broken = new AbortController();
    const until = AbortSignal.any([signal, broken.signal]);
    const ended = runOperator({ ...shared, metrics, controllers, signal: until, onCaches, ...options });
    await served.catch(() => broken.abort());
    const end = await ended;
    await served;
    return end;
  } finally {
    await hooks?.close();
    for (const family of running) await family.close();
    await client.close();
  }
}

async function openFlink({ client, log, clock, random }: Common, { way, flinkConfig }: Run): Promise<Running> {
  const [{ flinkControllers }, { openWire }, { watchOperatorConfig }] = await Promise.all([
    import('./flink/controllers.ts'),
    import('./flink/ports/open-wire.ts'),
    import('./flink/config/watch-operator-config.ts'),
  ]);
  const config = await watchOperatorConfig(flinkConfig, clock, (problem) =>
    log.warn({ problem }, 'the new configuration of Flink cannot be used; the one before it holds'),
  );
  const wire = openWire({ way, client, clock, env: process.env });
  const namespace = process.env.POD_NAMESPACE ?? process.env.OPERATOR_NAMESPACE;
  return {
    controllers: flinkControllers({
      client,
      clock,
      random,
      wire,
      operator: config.current,
      env: process.env,
      ...(namespace !== undefined && { namespace }),
    }),
    hooks: async (surroundings) => {
      const { flinkFamily, flinkHooks } = await import('./flink/family.ts');
      return flinkHooks(flinkFamily(config.current), surroundings);
    },
    close: async () => {
      config.stop();
      await wire.close();
    },
  };
}

async function openCloudFoundry(
  common: Common,
  { config = '', api, registry, onServed }: CloudFoundryRun,
): Promise<Running> {
  const [{ openCloudFoundry: open }, { parseSettings }] = await Promise.all([
    import('./cloudfoundry/open-cloud-foundry.ts'),
    import('./cloudfoundry/parse-settings.ts'),
  ]);
  const settings = parseSettings(config, packageJson.version);
  const family = open({ ...common, settings, ...(api && { api }), ...(registry && { registry }) });
  return {
    ...family,
    hooks: async () => family.hooks,
    serve: async () => {
      const door = await family.serve();
      if (door) onServed?.(door.port);
    },
  };
}

async function serveHooks(
  { port, directory }: NonNullable<Run['webhooks']>,
  running: readonly Running[],
  mirrors: readonly Mirror[],
  log: Log,
): Promise<{ close(): Promise<void> }> {
  const { serveAdmissionFromFiles } = await import('./control/admission-from-files.ts');
  const surroundings: Surroundings = {
    find: (type, namespace, name) => mirrors[0]?.peek(type, { namespace, name }) ?? 'unknown',
  };
  const hooks = Object.assign(
    {},
    ...(await Promise.all(running.map((family) => family.hooks(surroundings)))),
  ) as Record<string, Hook>;
  return serveAdmissionFromFiles({ port, directory: resolve(directory), hooks, log });
}

/** Node's SQLite announces itself as experimental; whoever starts a cluster has nothing to do about that. */
function withoutExperimentalWarnings(): void {
  const emitWarning = process.emitWarning.bind(process) as (...args: unknown[]) => void;
  process.emitWarning = (...args: unknown[]) => {
    if (args[1] !== 'ExperimentalWarning') emitWarning(...args);
  };
}
