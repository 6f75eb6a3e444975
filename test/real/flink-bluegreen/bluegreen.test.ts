import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { kinds } from '../../../src/kube/kinds.ts';
import { application, countingArguments } from '../flink/manifests.ts';
import type { Life } from './lives.ts';
import { migrate } from './migrate.ts';
import { BlueGreenWorld } from './world.ts';

const NAME = 'orders';
const MINUTES = 60_000;
const prefix = 'kubernetes.operator.bluegreen';
const patient = { [`${prefix}.abort.grace-period`]: '10 min' };
const impatient = { [`${prefix}.abort.grace-period`]: '10 s' };
const ingress = { template: '{{name}}.example.com' };

/**
 * One resource from its migration to its deletion; each test goes on from the one before. From the first start on, while
 * nobody suspends it, somebody asks whatever the Ingress names, twenty times a second.
 */
describe('a FlinkBlueGreenDeployment of Flink 1.20', { timeout: 8 * MINUTES }, () => {
  let world: BlueGreenWorld;
  beforeAll(async () => {
    world = await BlueGreenWorld.open('flink-bluegreen', NAME);
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  const revision = (number: number) => ({ args: countingArguments(world.flink.volume, NAME, number) });
  const life = (number: number): Life => {
    const found = world.lives[number - 1];
    if (found === undefined) throw new Error(`${NAME} has had ${world.lives.length} lives, not ${number}`);
    return found;
  };
  /** Every job ever, each without a flaw and never restarted by Flink. */
  const expectLives = (number: number): void => {
    expect(world.lives.flatMap(({ flaws, restarts }) => [...flaws, ...(restarts > 0 ? ['restarted'] : [])])).toEqual(
      [],
    );
    expect(world.lives).toHaveLength(number);
  };
  /** The states that it came to since they were looked at last. */
  const statesSince = (): readonly string[] => {
    const since = world.states.slice(seen);
    seen = world.states.length;
    return since;
  };
  let seen = 0;
  const expectServed = (): void => expect(world.probe.traffic.failures).toEqual([]);
  const completed = async () => (await world.snapshots()).filter(({ status }) => status?.state === 'COMPLETED');
  let first: string;

  it('is made from a running FlinkDeployment by three edits, and goes on from its savepoint', async () => {
    const before = parse(
      application(world.flink.volume, { name: NAME, version: 'v1_20' }, { upgradeMode: 'savepoint' }),
    );
    const manifest = stringify({ ...before, spec: { ...before.spec, ingress } });
    await world.flink.apply(manifest);
    await world.flink.untilRuns('flinkdeployment', NAME);
    await world.untilCounts(1);
    const counted = life(1).last.value;
    first = await world.savepointOf(NAME);

    const configuration = { ...patient, [`${prefix}.deployment-deletion.delay`]: '5 s' };
    await world.flink.apply(migrate(manifest, configuration, { ingress, job: { initialSavepointPath: first } }));
    await world.untilCounts(2);
    expect(life(2).first.value).toBeGreaterThan(counted);
    expect(life(2).first.value).toBeLessThan(life(1).last.value);

    // The Ingress of that name is another's: it is waited for, visibly, and not taken.
    const { status } = await world.until('waiting for the Ingress', ({ status }) =>
      JSON.stringify(status).includes('Ingress'),
    );
    expect(status?.serving?.color).not.toBe('GREEN');
    expect((await world.ingress())?.metadata.ownerReferences?.[0]).toMatchObject({ kind: 'FlinkDeployment' });
    await world.flink.remove(`flinkdeployment/${NAME}`);
    await world.untilActive('BLUE', 2);
    await world.flink.until(
      'the Ingress leads to blue',
      () => world.backend(),
      (backend) => backend === `${NAME}-blue-rest`,
    );
    expect((await world.ingress())?.metadata.ownerReferences?.[0]).toMatchObject({ kind: 'FlinkBlueGreenDeployment' });
    expect(statesSince()).toEqual(['INITIALIZING_BLUE', 'ACTIVE_BLUE']);
    expectLives(2);
    expect(await completed()).toHaveLength(0);
    world.probe.start();
  });

  it('goes on in green from one savepoint of blue when its template is edited', async () => {
    const counted = life(2).last.value;
    const writes = world.statusWrites;
    await world.edit(revision(2));
    await world.untilActive('GREEN', 3);
    // Besides its own status it makes a savepoint and a side, moves the Ingress and deletes a side: 25 writes at most.
    expect(world.statusWrites - writes).toBeLessThanOrEqual(25 - 4);
    expect(life(3).first.value).toBeGreaterThan(counted);
    expect(life(3).first.value).toBeLessThan(life(2).last.value);
    expect(await world.backend()).toBe(`${NAME}-green-rest`);
    expect(await completed()).toHaveLength(1);
    expect(statesSince()).toEqual(['SAVEPOINTING_BLUE', 'TRANSITIONING_TO_GREEN', 'ACTIVE_GREEN']);
    expectLives(3);
    expectServed();
  });

  it('and from green back to blue', async () => {
    const counted = life(3).last.value;
    await world.edit(revision(3));
    await world.untilActive('BLUE', 4);
    expect(life(4).first.value).toBeGreaterThan(counted);
    expect(life(4).first.value).toBeLessThan(life(3).last.value);
    expect(await world.backend()).toBe(`${NAME}-blue-rest`);
    expect(await completed()).toHaveLength(2);
    expect(statesSince()).toEqual(['SAVEPOINTING_GREEN', 'TRANSITIONING_TO_BLUE', 'ACTIVE_BLUE']);
    expectLives(4);
    expectServed();
  });

  it('gives a broken image up after the grace period, while blue serves on', async () => {
    const before = await world.side('BLUE');
    await world.edit({}, { configuration: impatient, template: { image: 'docker.io/library/flink:broken' } });
    const { status } = await world.until('ACTIVE_BLUE again', ({ status }) => status?.aborted !== undefined);
    expect(status).toMatchObject({ blueGreenState: 'ACTIVE_BLUE', jobStatus: { state: 'FAILING' } });
    expect(status?.conditions?.find(({ type }) => type === 'Stalled')?.status).toBe('True');
    // Left as it is, for whoever wants to know why.
    expect((await world.side('GREEN'))?.metadata.deletionTimestamp).toBeUndefined();
    expect((await world.side('BLUE'))?.metadata).toMatchObject({
      uid: before?.metadata.uid,
      generation: before?.metadata.generation,
    });
    expect(await world.backend()).toBe(`${NAME}-blue-rest`);
    expect(statesSince()).toEqual(['SAVEPOINTING_BLUE', 'TRANSITIONING_TO_GREEN', 'ACTIVE_BLUE']);
    expectLives(4);
    expectServed();
  });

  it('begins anew from another savepoint when savepointRedeployNonce changes in the middle of a transition', async () => {
    const image = (await world.side('BLUE'))?.spec.image;
    await world.edit(revision(4), { configuration: patient, template: { image } });
    const { status } = await world.until('on its way', ({ status }) => status?.transition?.phase === 'starting');
    const target = await world.flink.until(
      'green is made',
      () => world.side('GREEN'),
      (side) => {
        return side !== undefined && side.metadata.deletionTimestamp === undefined;
      },
    );
    await world.edit({ savepointRedeployNonce: 1, initialSavepointPath: first });
    const { status: after } = await world.until('begun anew', (resource) => {
      return resource.status?.history?.[0]?.id === status?.transition?.id;
    });
    expect(after?.history?.[0]).toMatchObject({ outcome: 'superseded', to: 'GREEN' });
    expect(after?.savepointTriggerId ?? '').toBe('');

    await world.until('ACTIVE_GREEN', (resource) => resource.status?.blueGreenState === 'ACTIVE_GREEN');
    await world.untilGone('BLUE');
    const green = await world.side('GREEN');
    expect(green?.metadata.uid).not.toBe(target?.metadata.uid);
    expect(green?.spec.job?.initialSavepointPath).toBe(first);
    const { jobId } = green?.status?.jobStatus ?? {};
    const restored = world.lives.find(({ job }) => job === jobId);
    // Where the FlinkDeployment's state ended, as the very first blue began.
    expect(restored?.first).toMatchObject({ value: life(2).first.value, count: life(2).first.count });
    expect(await world.backend()).toBe(`${NAME}-green-rest`);
    const twice = ['TRANSITIONING_TO_GREEN', 'ACTIVE_BLUE', 'TRANSITIONING_TO_GREEN', 'ACTIVE_GREEN'];
    expect(statesSince()).toEqual(['SAVEPOINTING_BLUE', ...twice]);
    expectServed();
  });

  it('starts from zero when statelessRedeployNonce changes', async () => {
    const snapshots = (await world.snapshots()).length;
    const lives = world.lives.length;
    await world.edit({ statelessRedeployNonce: 1 });
    await world.untilActive('BLUE', lives + 1);
    expect(life(lives + 1).first).toMatchObject({ value: 0, count: 1 });
    expect(await world.snapshots()).toHaveLength(snapshots);
    expect((await world.side('BLUE'))?.spec.job?.upgradeMode).toBe('savepoint');
    expect(statesSince()).toEqual(['TRANSITIONING_TO_BLUE', 'ACTIVE_BLUE']);
    expectLives(lives + 1);
    expectServed();
  });

  it('has lost no request since its first start', async () => {
    await world.probe.stop();
    const { requests, by, failures } = world.probe.traffic;
    console.log(`${requests} requests, ${failures.length} failed: ${JSON.stringify(by)}`);
    expect(failures).toEqual([]);
    // Three times green, twice blue after it.
    expect(Object.keys(by).sort()).toEqual([`${NAME}-blue-rest`, `${NAME}-green-rest`]);
    expect(requests).toBeGreaterThan(20 * 30);
  });

  it('is suspended and resumed in place', async () => {
    const before = await world.side('BLUE');
    const lives = world.lives.length;
    await world.edit({ state: 'suspended' });
    await world.flink.until(
      'blue is suspended',
      () => world.side('BLUE'),
      (side) => {
        return side?.status?.lifecycleState === 'SUSPENDED';
      },
    );
    const counted = life(lives).last.value;
    expect(await world.side('GREEN')).toBeUndefined();
    await world.edit({ state: 'running' });
    await world.untilActive('BLUE', lives + 1);
    expect((await world.side('BLUE'))?.metadata.uid).toBe(before?.metadata.uid);
    expect(life(lives + 1).first.value).toBeGreaterThan(counted);
    expectLives(lives + 1);
  });

  it('leaves nothing behind but its savepoints when it is deleted', async () => {
    await world.flink.remove(`flinkbluegreendeployment/${NAME}`);
    for (const type of [kinds.deployments, kinds.services, kinds.configMaps, kinds.pods, kinds.ingresses]) {
      const ours = async () =>
        (await world.flink.list(type)).filter(
          ({ metadata }) => metadata.name?.startsWith(`${NAME}-`) || metadata.name === NAME,
        );
      await world.flink.until(`no ${type.plural} are left`, ours, (all) => all.length === 0);
    }
    expect(world.flink.volume.savepoints(NAME).length).toBeGreaterThan(0);
  });
});
