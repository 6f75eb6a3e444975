import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import type { PastExecution } from '../../../src/kudo/resources/instance.ts';
import { changedPackage, packageFolder } from './packages.ts';
import { KudoWorld, type Pods } from './world.ts';

const store = packageFolder('store');
let world: KudoWorld;

beforeAll(async () => {
  world = await KudoWorld.open('kudo-restarts');
  await world.operate();
});
afterAll(async () => await world[Symbol.asyncDispose]());

const nodes = (name: string): Promise<Pods> => world.pods(`app=${name}`);
const front = (name: string): Promise<Pods> => world.pods(`front=${name}`);
const all = async (name: string): Promise<Pods> => ({ ...(await nodes(name)), ...(await front(name)) });

/** The pods that are still the ones they were. */
function survivors(before: Pods, after: Pods): readonly string[] {
  return Object.keys(before).filter((pod) => before[pod] === after[pod]);
}

async function newest(name: string): Promise<PastExecution | undefined> {
  return (await world.instance(name)).status?.history?.[0];
}

async function settings(name: string): Promise<unknown> {
  return (await world.get(kinds.configMaps, name)).data;
}

describe('an Instance whose restarting parameters restart all workloads', () => {
  const name = 'calm';

  it('is deployed, without the fields that the server does not know', async () => {
    await world.install(store, name);
    expect(Object.keys(await nodes(name))).toEqual(['calm-node-0', 'calm-node-1']);
    expect(await newest(name)).toMatchObject({ plan: 'deploy', cause: 'install', outcome: 'COMPLETE' });
    const service: AnyObject = await world.get(kinds.services, name);
    expect(service).not.toHaveProperty('nonsense');
    expect(service.spec).not.toHaveProperty('folly');
  });

  it('shows in the columns of kubectl what it is and how it is', async () => {
    const row = (): Promise<string> => world.kubectl(['get', 'instances', name]);
    const printed = await world.until('it is ready', row, (text) => text.includes('True'));
    const [head, line] = printed.split('\n').map((text) => text.trim().split(/\s{2,}/));
    expect(head).toEqual(['NAME', 'OPERATOR-VERSION', 'PLAN', 'PLAN-STATUS', 'READY', 'RESTART', 'AGE']);
    expect(line).toEqual([name, 'store-0.1.0', 'deploy', 'COMPLETE', 'True', 'yes', expect.stringMatching(/^\d/)]);
    expect(await world.kubectl(['get', 'operatorversions', '--no-headers'])).toMatch(/^store-0\.1\.0 +store +0\.1\.0 /);
  });

  it('lets a pod be followed to its plan, phase and step', async () => {
    const owner = (object: AnyObject): string => object.metadata.ownerReferences?.[0]?.name ?? '';
    const pod = await world.get(kinds.pods, 'calm-node-0');
    const workload = await world.get(kinds.statefulSets, owner(pod));
    expect(workload.metadata.annotations).toMatchObject({
      'kudo.dev/plan': 'deploy',
      'kudo.dev/phase': 'store',
      'kudo.dev/step': 'workloads',
    });
    expect(owner(workload)).toBe(name);
  });

  it('grows without touching pods that run', async () => {
    const before = await all(name);
    await world.update(name, { NODE_COUNT: '3' });
    expect(await all(name)).toEqual({ ...before, 'calm-node-2': expect.any(String) });
    expect(await newest(name)).toMatchObject({ changed: ['NODE_COUNT'], forced: false, outcome: 'COMPLETE' });
  });

  it('changes a ConfigMap and touches no pod, if the parameter says so', async () => {
    const before = await all(name);
    await world.update(name, { NOTICE: 'closing' });
    expect(await settings('calm-node')).toMatchObject({ notice: 'closing' });
    expect(await all(name)).toEqual(before);
  });

  it('restarts every pod for a ConfigMap that only the nodes read', async () => {
    const before = await all(name);
    await world.update(name, { LEVEL: 'debug' });
    const after = await all(name);
    expect(survivors(before, after)).toEqual([]);
    expect(Object.keys(after)).toHaveLength(4);
    expect(await newest(name)).toMatchObject({ changed: ['LEVEL'], forced: true, outcome: 'COMPLETE' });
  });

  it('restarts every pod when one of two changes at once asks for it', async () => {
    const before = await all(name);
    await world.update(name, { NODE_COUNT: '2', BANNER: 'hello' });
    expect(survivors(before, await all(name))).toEqual([]);
    expect(Object.keys(await nodes(name))).toEqual(['calm-node-0', 'calm-node-1']);
    expect(await newest(name)).toMatchObject({ changed: ['BANNER', 'NODE_COUNT'], forced: true });
  });

  it('is restarted once although the operator dies in the middle of it', async () => {
    const before = await nodes(name);
    await world.cutover('update', '--instance', name, '-p', 'LEVEL=trace');
    await world.until(
      'the first node has been replaced',
      () => nodes(name),
      (pods) => survivors(before, pods).length < 2,
    );
    const { execution } = (await world.instance(name)).status ?? {};
    await world.kill();
    expect(execution).toMatchObject({ plan: 'deploy', changed: ['LEVEL'] });
    const revision = async (): Promise<unknown> =>
      ((await world.get(kinds.statefulSets, 'calm-node')).status as { readonly updateRevision?: string })
        .updateRevision;
    const wanted = await revision();
    const midway = await nodes(name);
    const replaced = Object.keys(midway).filter((pod) => !survivors(before, midway).includes(pod));
    await world.operate();
    await world.cutover('plan', 'wait', '--instance', name);
    expect(await newest(name)).toMatchObject({ uid: execution?.uid, outcome: 'COMPLETE' });
    const after = await nodes(name);
    expect(survivors(before, after)).toEqual([]);
    expect(survivors(midway, after)).toEqual(expect.arrayContaining(replaced));
    expect(await revision()).toBe(wanted);
  });

  it('is upgraded, restarts, and loses what the new version no longer has', async () => {
    using next = changedPackage(store, {
      'operator.yaml': (text) => text.replace('0.1.0', '0.2.0'),
      'templates/node-settings.yaml': (text) => text.replace(/^ {2}notice:.*\n/m, ''),
    });
    const before = await all(name);
    await world.cutover('upgrade', next.folder, '--instance', name, '--wait');
    expect(survivors(before, await all(name))).toEqual([]);
    expect(await settings('calm-node')).toEqual({ level: 'trace' });
    expect(await newest(name)).toMatchObject({ cause: 'upgrade', outcome: 'COMPLETE' });
    expect((await world.instance(name)).status?.accepted?.operatorVersion.name).toBe('store-0.2.0');
  });

  it('is upgraded without a restart if whoever does it says so', async () => {
    using next = changedPackage(store, {
      'operator.yaml': (text) => text.replace('0.1.0', '0.3.0'),
      'templates/front-settings.yaml': (text) => `${text}  more: again\n`,
    });
    const before = await all(name);
    await world.cutover('upgrade', next.folder, '--instance', name, '--no-restart', '--wait');
    expect(await settings('calm-front')).toMatchObject({ more: 'again' });
    expect(await all(name)).toEqual(before);
  });

  it('runs its plan cleanup before it goes', async () => {
    await world.kubectl(['delete', 'instance', name, '--wait', '--timeout=60s']);
    expect(await world.events(name)).toContain('Execution of plan cleanup finished with status COMPLETE');
    await world.until(
      'nothing is left',
      () => all(name),
      (pods) => Object.keys(pods).length === 0,
    );
  });
});

describe('an Instance that restarts what reads something that changed', () => {
  const name = 'keen';

  beforeAll(async () => {
    using keen = changedPackage(store, {
      'operator.yaml': (text) => text.replace('name: store', 'name: keen-store\nrestartPolicy: onDependencyChange'),
    });
    await world.install(keen.folder, name);
  });

  it('restarts the nodes for their ConfigMap, and not the front', async () => {
    const before = await all(name);
    await world.update(name, { LEVEL: 'debug' });
    const after = await all(name);
    expect(survivors(before, after)).toEqual(Object.keys(await front(name)));
    expect(Object.keys(await nodes(name))).toEqual(['keen-node-0', 'keen-node-1']);
    expect((await newest(name))?.restarts).toEqual([
      { kind: 'StatefulSet', name: 'keen-node', because: expect.any(String) },
    ]);
  });

  it('restarts the front for its variable, and not the nodes', async () => {
    const before = await all(name);
    await world.update(name, { BANNER: 'hello' });
    expect(survivors(before, await all(name))).toEqual(Object.keys(await nodes(name)));
  });

  it('restarts nothing for a quiet parameter, whatever it changes', async () => {
    const before = await all(name);
    await world.update(name, { NOTICE: 'closing' });
    expect(await settings('keen-node')).toMatchObject({ notice: 'closing' });
    expect(await all(name)).toEqual(before);
  });
});
