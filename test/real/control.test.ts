import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ControlPlane, startControlPlane } from '../../rig/control-plane.ts';
import { kinds } from '../../src/kube/kinds.ts';
import { LampWorld } from './lamp-world.ts';

let plane: ControlPlane;
let world: LampWorld;
beforeAll(async () => {
  plane = await startControlPlane({ kwokNodes: 2 });
  world = await LampWorld.open(plane);
});
afterAll(async () => {
  await world?.person.close();
  await plane?.stop();
});

const generous = { timeout: 90_000, interval: 100 } as const;
const becomes = (name: string) => expect.poll(() => world.standing(name), generous);
const bulbNames = async (name: string): Promise<readonly (string | undefined)[]> =>
  (await world.bulbs(name)).map(({ metadata }) => metadata.name);
/** Requests that were sent after the first `from` ones and are neither the lease nor events. */
const writes = (sent: readonly string[], from = 0): readonly string[] =>
  sent.slice(from).filter((request) => !/^(watch|list|get) | leases\.| events\./.test(request));

describe('the toy operator on a real API server', () => {
  it('lights a lamp, and people see it', async () => {
    await using operator = world.start();
    const { metadata } = await world.createLamp('seen');
    await becomes('seen').toBe('Shining Ready');
    expect(await bulbNames('seen')).toEqual(['seen-1-0', 'seen-1-1']);
    await expect
      .poll(async () => (await world.bulbs('seen')).map(({ status }) => (status as { phase?: string }).phase), generous)
      .toEqual(['Running', 'Running']);

    const { status, metadata: after } = await world.lamp('seen');
    expect(after.generation).toBe(1);
    expect(after.finalizers).toEqual(['toy.cutover.dev/factory']);
    expect(
      status?.conditions?.map(({ type, status, observedGeneration }) => [type, status, observedGeneration]),
    ).toEqual([['Ready', 'True', 1]]);
    expect(operator.sent).toContain('update lamps.toy.cutover.dev/status 200');
    expect(operator.sent).toContain('apply configmaps 201');
    expect(operator.sent).toContain('create events.events.k8s.io 201');

    expect(await world.kubectl(['get', 'lamps', '--no-headers', 'seen'])).toMatch(/^seen +Shining +2 +True +\d+s\s*$/);
    const said = await world.kubectl(['get', 'events', `--field-selector=involvedObject.uid=${metadata.uid}`]);
    expect(said).toMatch(/Normal +SpecChanged +lamp\/seen +The first bulbs are being made\./);
    expect(said).toMatch(/Normal +Shining +lamp\/seen +All bulbs shine as asked\./);
  });

  it('replaces bulbs and carries the counter over exactly once', async () => {
    await using _operator = world.start();
    const { metadata } = await world.createLamp('edited');
    await becomes('edited').toBe('Shining Ready');
    const first = `${metadata.uid}-1`;
    world.factory.blink(first, 41);
    await world.edit('edited', { spec: { image: 'bulb:2' } });
    await becomes('edited').toBe('Shining Ready');
    expect(await bulbNames('edited')).toEqual(['edited-2-0', 'edited-2-1']);
    const { batches, receipts } = world.factory.look(metadata.uid ?? '');
    expect(batches.map(({ image, counter }) => [image, counter])).toEqual([
      ['bulb:1', 41],
      ['bulb:2', 41],
    ]);
    expect(receipts).toHaveLength(1);
    expect((await world.lamp('edited')).status).toMatchObject({ counter: 41, observedGeneration: 2 });
  });

  it('restarts bulbs by eviction, one at a time', async () => {
    await using operator = world.start();
    await world.createLamp('restarted');
    await becomes('restarted').toBe('Shining Ready');
    const from = operator.sent.length;
    await world.edit('restarted', { spec: { restartNonce: 1 } });
    await becomes('restarted').toBe('Shining Ready');
    expect(await bulbNames('restarted')).toEqual(['restarted-2-0', 'restarted-2-1']);
    const pods = writes(operator.sent, from).filter((request) => request.includes('pods'));
    expect(pods).toEqual([
      'create pods/eviction 201',
      'create pods 201',
      'create pods/eviction 201',
      'create pods 201',
    ]);
  });

  it('repairs what others did to what it owns', async () => {
    await using _operator = world.start();
    await world.createLamp('harmed');
    await becomes('harmed').toBe('Shining Ready');
    const plan = { namespace: 'default', name: 'harmed-plan' };
    const configMaps = world.person.resource(kinds.configMaps);
    await configMaps.patch(plan, { type: 'merge', body: { data: { image: 'bulb:evil' } } });
    await world.person.resource(kinds.pods).delete({ namespace: 'default', name: 'harmed-1-0' });
    await expect.poll(async () => (await configMaps.get(plan)).data, generous).toMatchObject({ image: 'bulb:1' });
    await expect.poll(() => bulbNames('harmed'), generous).toEqual(['harmed-1-0', 'harmed-1-1']);
  });

  it('leaves a paused lamp alone, visibly, until it is resumed', async () => {
    await using operator = world.start();
    await world.createLamp('paused', {}, { annotations: { 'cutover.dev/paused': 'true' } });
    await becomes('paused').toBe('Paused');
    expect(writes(operator.sent)).toEqual(['update lamps.toy.cutover.dev/status 200']);
    expect(await bulbNames('paused')).toEqual([]);
    await world.kubectl(['annotate', 'lamp', 'paused', 'cutover.dev/paused-']);
    await becomes('paused').toBe('Shining Ready');
  });

  it('does not touch a lamp whose status another controller keeps, unless it is told to take over', async () => {
    const patch = { type: 'merge', body: { status: { phase: 'Dark', observedGeneration: 1 } } } as const;
    const name = { namespace: 'default', name: 'foreign' };
    await world.createLamp('foreign');
    await world.lamps().status.patch(name, patch, { fieldManager: 'other-operator' });
    const foreign = { managers: ['other-operator'] };
    {
      await using operator = world.start({ lamps: { foreign } });
      await becomes('foreign').toBe('Dark ManagedElsewhere');
      expect(writes(operator.sent)).toEqual(['update lamps.toy.cutover.dev/status 200']);
    }
    await using _operator = world.start({ lamps: { foreign }, options: { takeover: ['lamp'] } });
    await becomes('foreign').toBe('Shining Ready');
  });

  it('writes nothing when it may only observe, and says what it would do', async () => {
    await using operator = world.start({ options: { observeOnly: true, lease: { namespace: 'default', name: 'x' } } });
    await world.createLamp('observed');
    await expect
      .poll(() => operator.lines.filter(({ message }) => message === 'would act').map(({ fields }) => fields), generous)
      .toMatchObject([{ key: 'default/observed', actions: ['patch Lamp default/observed'] }]);
    expect(operator.sent.filter((request) => !/^(watch|list|get) /.test(request))).toEqual([]);
    await world.lamps().delete({ namespace: 'default', name: 'observed' });
  });

  it('finds everything as it should be after a restart, and sends nothing but lease renewals for ten seconds', async () => {
    const lease = { namespace: 'default', name: 'steady' };
    await using operator = world.start({ options: { lease } });
    await expect.poll(() => operator.lines.map(({ message }) => message), generous).toContain('working');
    const before = (await world.lamps().list({ namespace: 'default' })).items;
    expect(before.length).toBeGreaterThan(4);
    const from = operator.sent.length;
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    const window = operator.sent.slice(from);
    // The last one may still be waiting for its answer.
    expect([...new Set(window.map((line) => line.replace(/ 200$/, '')))]).toEqual([
      'update leases.coordination.k8s.io',
    ]);
    expect(window.length).toBeLessThanOrEqual(6);
    // Nor did it write on its way here: every object carries what would be applied, and every status what would be said.
    expect(writes(operator.sent)).toEqual([]);
    expect((await world.lamps().list({ namespace: 'default' })).items).toEqual(before);
  });

  // Late in the file: the server's garbage collector takes up to half a minute to hear of a new kind.
  it('lets a deleted lamp go when the factory has cleared up, and the server clears up the rest', async () => {
    await using _operator = world.start();
    const { metadata } = await world.createLamp('deleted');
    await becomes('deleted').toBe('Shining Ready');
    await world.kubectl(['delete', 'lamp', 'deleted', '--wait', '--timeout=90s']);
    expect(world.factory.look(metadata.uid ?? '').batches).toEqual([]);
    await expect.poll(() => world.bulbs('deleted'), generous).toEqual([]);
    await expect
      .poll(async () => (await world.kubectl(['get', 'configmaps', '-o', 'name'])).split('\n'), generous)
      .not.toContain('configmap/deleted-plan');
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'carries a change through a restart of the API server by %s',
    async (signal) => {
      await using operator = world.start({ options: { lease: { namespace: 'default', name: 'through' } } });
      const name = `through-${signal.toLowerCase()}`;
      const { metadata } = await world.createLamp(name);
      await becomes(name).toBe('Shining Ready');
      world.factory.blink(`${metadata.uid}-1`, 7);
      await world.edit(name, { spec: { image: 'bulb:2', replicas: 5 } });
      await plane.restartApiServer(signal);
      await becomes(name).toBe('Shining Ready');
      expect(await world.bulbs(name)).toHaveLength(5);
      expect(world.factory.look(metadata.uid ?? '').receipts).toHaveLength(1);
      expect((await world.lamp(name)).status).toMatchObject({ counter: 7 });
      expect(await operator.stop()).toBe('stopped');
    },
  );
});
