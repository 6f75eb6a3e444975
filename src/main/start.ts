import { resolve } from 'node:path';
import { freePort } from '../cli/free-port.ts';
import type { StartOptions } from '../cli/program.ts';
import { aborted, stopSignal } from '../cli/stop-signal.ts';
import type { FirstMinute } from '../cli/welcome.ts';
import { realClock } from '../clock/real.ts';
import type { CfApiDoor } from '../cloudfoundry/open-cloud-foundry.ts';
import type { Client } from '../kube/client.ts';
import type { Identity } from '../kube/identity.ts';
import type { KubeObject } from '../kube/object.ts';
import { greet, listen, openCluster } from './embedded.ts';
import { familyNames } from './families.ts';
import { ofCallers } from './of-callers.ts';
import { runWith } from './run-with.ts';
import { version } from './version.ts';

/** A Kubernetes, the operator with everything that it offers, and samples that follow their files. */
export async function start(options: StartOptions): Promise<void> {
  const stop = stopSignal();
  const [
    { Client },
    { install },
    { followManifest, prepareManifest },
    { tellNews },
    { samples },
    told,
    cf,
    cfTold,
    kudo,
    kudoTold,
  ] = await Promise.all([
    import('../kube/client.ts'),
    import('../cli/install.ts'),
    import('../cli/manifest-file.ts'),
    import('../cli/news.ts'),
    import('../flink/sample.ts'),
    import('../flink/news.ts'),
    import('../cloudfoundry/sample.ts'),
    import('../cloudfoundry/news.ts'),
    import('../kudo/sample.ts'),
    import('../kudo/news.ts'),
  ]);
  const files =
    options.sample === undefined
      ? samples.map((sample) => ({ ...sample, path: resolve('.cutover', sample.file) }))
      : [{ ...samples[0], path: resolve(options.sample) }];
  for (const { path, manifest } of files) await prepareManifest(path, manifest);
  await using cluster = await openCluster(options);
  const client = new Client(cluster.transport(), { userAgent: `cutover/${version}` });
  const defining = await Promise.all([
    import('../flink/family.ts'),
    import('../cloudfoundry/family.ts'),
    import('../kudo/family.ts'),
  ]);
  await install(
    client,
    defining.flatMap((family) => family.definitions()),
    stop,
  );
  const door = await listen(cluster, options);
  const api = await cfApiOf(door.kubeconfig, options.cfApiPort);
  await prepareCloudFoundry(client, stop);
  const served = Promise.withResolvers<string>();
  const onServed = (port: number): void => served.resolve(`http://127.0.0.1:${port}`);
  const dashboard = Promise.withResolvers<string | undefined>();
  // What a person can act on is told as news; what is left for the log is a bug.
  const running = runWith(client, {
    logLevel: 'error',
    signal: stop,
    families: familyNames,
    flink: { way: 'proxy' },
    cloudFoundry: { config: api.config, api: api.door, registry: cf.noRegistry, onServed },
    server: {
      dashboard: {
        door: { port: options.dashboardPort ?? (await freePort(8090)) },
        clientFor: api.door.clientFor,
        once: api.identity,
        onServed: (_url, link) => dashboard.resolve(link),
      },
    },
    options: { instance: 'start' },
  });
  running.catch((error) => {
    served.reject(error);
    dashboard.reject(error);
  });
  const [url, link] = await Promise.all([served.promise, dashboard.promise]);
  greet(
    door,
    options,
    files,
    [
      { tool: 'operator packages', commands: kudo.commands() },
      {
        api: { label: 'CF API', url },
        tool: 'the cf CLI (version 8)',
        commands: cf.commands(url, `${process.cwd()}/.cutover`, api.user),
      },
    ],
    firstMinute(link),
  );
  const say = (line: string): void => void process.stdout.write(`  ${timeOfDay()}  ${line}\n`);
  const followed = [...told.followed, ...cfTold.followed, ...kudoTold.followed];
  const except = [...told.toldAnyway, ...cfTold.toldAnyway, ...kudoTold.toldAnyway];
  const from = 'cutover.dev/operator';
  const news = tellNews({ client, clock: realClock, from, except, followed, say, signal: stop });
  for (const { path } of files) await followManifest({ path, client, clock: realClock, say, signal: stop });
  await addUnlessThere(client, kudo.sampleObjects(), stop);
  const pause = (ms: number): Promise<void> => new Promise((done) => void realClock.after(ms, done));
  const pushed = cf
    .pushSample({ url, authorization: api.authorization, fetch, pause, signal: stop })
    .catch((error: Error) => void (stop.aborted || say(`the sample app could not be pushed: ${error.message}`)));
  await Promise.all([running, news, pushed, aborted(stop)]);
  process.stdout.write('Stopping.\n');
}

/** One change of each family, watched in browser and terminal. All of it needs this program only. */
function firstMinute(link: string | undefined): FirstMinute {
  return {
    ...(link !== undefined && { dashboard: link }),
    program: 'npm run -s cutover --',
    commands: [
      ['list -A', 'all that runs, what serves, and what needs you'],
      ['restart orders', 'Flink: the other side starts from a savepoint, then gets the traffic'],
      ['get orders -w', 'what serves, what changes and why, how far, what if I stop it, what next'],
      ['restart app/hello -A', 'Cloud Foundry: instances are replaced one by one'],
      ['get app/hello -A -w', 'the same five answers'],
      ['kudo update --instance ledger -p NODE_COUNT=4', 'KUDO: quiet, no pod restarts'],
      ['get instance/ledger', 'the same five answers'],
    ],
  };
}

/** Creates what a person could have changed since: it is never written over. */
async function addUnlessThere(client: Client, objects: readonly KubeObject[], signal: AbortSignal): Promise<void> {
  const [{ discover }, { isKubeError }] = await Promise.all([
    import('../kube/discover.ts'),
    import('../kube/error.ts'),
  ]);
  for (const object of objects) {
    const type = await discover(client, object.apiVersion, object.kind);
    await client
      .resource<KubeObject>(type)
      .create(object, { signal })
      .catch((error) => (isKubeError(error, 'exists') ? undefined : Promise.reject(error)));
  }
}

/** What Cloud Foundry needs beside its definitions. */
async function prepareCloudFoundry(client: Client, signal: AbortSignal): Promise<void> {
  const [{ installation }, { defaultSettings }, { discover }] = await Promise.all([
    import('../cloudfoundry/install/installation.ts'),
    import('../cloudfoundry/settings.ts'),
    import('../kube/discover.ts'),
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
  readonly identity: Identity;
}> {
  const [{ findAccess }, { Client }, { httpTransport }, { fixedIdentity }] = await Promise.all([
    import('../kube/kubeconfig/find-access.ts'),
    import('../kube/client.ts'),
    import('../kube/http-transport.ts'),
    import('../kube/identity.ts'),
  ]);
  const access = await findAccess({ kubeconfig, env: {}, clock: realClock });
  const identity = await access.identity.current();
  const { cert = '', key = '' } = identity.certificate ?? {};
  const clientFor: CfApiDoor['clientFor'] = (identity) =>
    new Client(httpTransport({ ...access, ...ofCallers, identity: fixedIdentity(identity), clock: realClock }));
  const at = port ?? (await freePort(8443));
  return {
    door: { port: at, host: '127.0.0.1', clientFor },
    // Which one 0 becomes is known too late to be told to apps.
    config: at === 0 ? '' : `apiUrl: http://127.0.0.1:${at}`,
    user: 'cutover-admin',
    identity,
    authorization: `ClientCert ${Buffer.from(`${cert}${key}`).toString('base64')}`,
  };
}

/** `14:02:59`, where the person is. */
function timeOfDay(): string {
  return new Date(realClock.now()).toTimeString().slice(0, 8);
}
