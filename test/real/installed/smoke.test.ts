import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { realClock } from '../../../src/clock/real.ts';
import { Client } from '../../../src/kube/client.ts';
import { httpTransport } from '../../../src/kube/http-transport.ts';
import { findAccess } from '../../../src/kube/kubeconfig/find-access.ts';
import { ADMIN, CfWorld, cfValues } from '../cloudfoundry/world.ts';
import { application, countingArguments } from '../flink/manifests.ts';
import { FLINK_CONFIGURATION } from '../flink/operator-process.ts';
import { FlinkWorld } from '../flink/world.ts';
import { packageFolder } from '../kudo/packages.ts';
import { KudoWorld, WAITER } from '../kudo/world.ts';
import { openCfDoor } from './cf-door.ts';
import { Installed } from './installed.ts';
import { operatorProcesses } from './operator-processes.ts';

const MINUTE = 60_000;
const kubeconfig = process.env.CUTOVER_KUBECONFIG ?? '';

/** Everything that there is, in two pods. */
const VALUES = {
  replicas: 2,
  families: { flink: true, cloudfoundry: true, kudo: true },
  flink: { config: FLINK_CONFIGURATION },
  kudo: { waiterImage: WAITER, packages: { bind: true } },
  ...cfValues,
  dashboard: { enabled: true },
};

/** What must be the same before and after: the pods of workloads, by name and uid. */
type Workloads = Readonly<Record<string, string>>;

/** One installation from its first minute to its last, with a workload of each family; each test goes on from the one before. */
describe('Cutover, installed by Helm', { timeout: 6 * MINUTE }, () => {
  const directory = mkdtempSync(join(tmpdir(), 'cutover-installed-'));
  let cutover: Installed;
  let flink: FlinkWorld;
  let kudo: KudoWorld;
  let cf: CfWorld;

  beforeAll(async () => {
    cutover = await Installed.open(kubeconfig);
    const access = await findAccess({ kubeconfig, env: {}, clock: realClock });
    const client = new Client(httpTransport({ ...access, clock: realClock }), { userAgent: 'person' });
    await openCfDoor(client, join(directory, 'certificates'));
    await client.close();
  }, 2 * MINUTE);
  afterAll(async () => {
    for (const world of [flink, kudo, cf]) await world?.[Symbol.asyncDispose]();
    rmSync(directory, { recursive: true, force: true });
  });

  // What follows a failure would fail only because of it.
  let hasFailed = false;
  beforeEach(({ skip, onTestFailed }) => {
    onTestFailed(() => {
      hasFailed = true;
    });
    skip(hasFailed, 'what comes before it has failed');
  });

  /** Without those that are ending: an instance that was there besides while an app was rolled takes its time to go. */
  const podsOf = async (namespace: string): Promise<Workloads> => {
    const pods = (await cutover.list<Pod>('pods', namespace)).filter(
      ({ metadata }) => metadata.deletionTimestamp === undefined,
    );
    return Object.fromEntries(pods.map(({ metadata }) => [`${namespace}/${metadata.name}`, metadata.uid]));
  };
  let space = '';
  const workloads = async (): Promise<Workloads> => ({
    ...(await podsOf(flink.namespace)),
    ...(await podsOf(kudo.namespace)),
    ...(await podsOf(space)),
  });

  it('is ready, in pods that may do nothing', async () => {
    const notes = await cutover.install(VALUES);
    expect(notes).toContain('cutover');
    expect(await cutover.pods()).toHaveLength(2);
  });

  it('keeps a Flink job going through an upgrade', async () => {
    flink = await FlinkWorld.open('installed-flink');
    const name = 'orders';
    await flink.apply(application(flink.volume, { name, version: 'v2_3' }, { upgradeMode: 'savepoint' }));
    await flink.untilRuns('flinkdeployment', name, {});
    await flink.untilCounts(name, 1);
    const args = countingArguments(flink.volume, name, 2);
    await flink.editJob('flinkdeployment', name, { args });
    await flink.untilRuns('flinkdeployment', name, { args });
    await flink.untilCounts(name, 2);
    expect(flink.volume.savepoints(name)).toHaveLength(1);
    expect(flink.volume.flaws(name)).toEqual([]);
  });

  it('refuses by its webhook what the definition lets through, and names the field', async () => {
    const wrong = { spec: { job: { parallelism: 0 } } };
    const patch = ['patch', 'flinkdeployment', 'orders', '--namespace', flink.namespace, '--type=merge', '-p'];
    await expect(cutover.kubectl([...patch, JSON.stringify(wrong)])).rejects.toThrow(/parallelism/);
  });

  it('installs a package, changes it without a restart and with one', async () => {
    kudo = await KudoWorld.open('installed-kudo');
    await kudo.operate();
    await kudo.install(packageFolder('store'), 'calm');
    const before = await kudo.pods('app=calm');
    await kudo.update('calm', { NOTICE: 'closing' });
    expect(await kudo.pods('app=calm')).toEqual(before);
    await kudo.update('calm', { LEVEL: 'debug' });
    const after = await kudo.pods('app=calm');
    expect(Object.keys(after)).toEqual(Object.keys(before));
    expect(Object.values(after).filter((uid) => Object.values(before).includes(uid))).toEqual([]);
  });

  it('pushes an app and restarts it without downtime', async () => {
    cf = await CfWorld.open(kubeconfig);
    const person = await cf.person(ADMIN);
    await person.run('api', cf.url);
    await person.run('auth', person.user);
    await person.run('create-org', 'demo');
    await person.run('create-space', 'dev', '-o', 'demo');
    await person.run('target', '-o', 'demo', '-s', 'dev');
    await person.run('push', 'web', '--docker-image', 'rig.local/app:1', '-m', '32M', '-k', '64M');
    space = await cf.namespaceOf('web');
    const before = await cf.untilInstances(space, 1);
    const least = await cf.leastReady(space, () => person.run('restart', 'web', '--strategy', 'rolling'));
    expect(least).toBeGreaterThanOrEqual(1);
    expect(await cf.untilInstances(space, 1)).not.toEqual(before);
  });

  it('goes on in the other pod when the one at work ends, or is killed', async () => {
    const running = await workloads();
    const [first = '', pod = ''] = [await cutover.holder(), await cutover.leader()];
    await cutover.kubectl(['delete', 'pod', pod, '--namespace', Installed.namespace, '--wait=false']);
    const graceful = await cutover.untilOtherLeader(first);
    await cutover.untilReady(2);
    const second = (await cutover.holder()) ?? '';
    for (const pid of operatorProcesses(await cutover.leader())) process.kill(pid, 'SIGKILL');
    const killed = await cutover.untilOtherLeader(second);
    console.log(
      `another one led ${Math.round(graceful)} ms after a graceful end, ${Math.round(killed)} ms after a kill`,
    );
    expect(await workloads()).toEqual(running);
  });

  it('is upgraded without touching a workload', async () => {
    await cutover.untilReady(2);
    const running = await workloads();
    await cutover.install({ ...VALUES, replicas: 1, logLevel: 'debug', podAnnotations: { changed: 'yes' } });
    await cutover.untilReady(1);
    await flink.editJob('flinkdeployment', 'orders', {});
    expect(await workloads()).toEqual(running);
  });

  it('has logged no error', async () => {
    const lines = (await cutover.logs()).split('\n').filter((line) => line.includes('"level":"error"'));
    expect(lines).toEqual([]);
  });

  it('leaves workloads and definitions behind, and no finalizer, when it is uninstalled', async () => {
    const running = await workloads();
    await cutover.uninstall();
    expect(await workloads()).toEqual(running);
    const left = await Promise.all(
      ['flinkdeployments', 'instances.kudo.dev', 'cfapps.korifi.cloudfoundry.org'].map(
        async (kind) => JSON.parse(await cutover.kubectl(['get', kind, '-A', '-o', 'json'])) as Listed,
      ),
    );
    expect(left.map(({ items }) => items.length)).toEqual([1, 1, 1]);
    expect(left.flatMap(({ items }) => items.flatMap(({ metadata }) => metadata.finalizers ?? []))).toEqual([]);
  });

  it('takes everything up again when it is installed again, and restarts nothing', async () => {
    const running = await workloads();
    await cutover.install({ ...VALUES, replicas: 1 });
    await kudo.update('calm', { NODE_COUNT: '3' });
    expect(await workloads()).toMatchObject(running);
    expect(Object.keys(await kudo.pods('app=calm'))).toHaveLength(3);
  });
});

interface Pod {
  readonly metadata: { readonly name: string; readonly uid: string; readonly deletionTimestamp?: string };
}

interface Listed {
  readonly items: readonly { readonly metadata: { readonly finalizers?: readonly string[] } }[];
}
