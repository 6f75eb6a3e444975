import { describe, expect, it } from 'vitest';
import type { Log } from '../../src/control/log.ts';
import { PortError } from '../../src/control/port.ts';
import type { FieldTree } from '../../src/control/schema-fit.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import { type Lamp, lamp } from './resource.ts';
import { definition, Stage } from './stage.ts';

/** Condition types that are true, and the phase. */
async function standing(stage: Stage, name: string): Promise<string> {
  const lamp = await stage.lamp(name);
  const { phase = '', conditions = [] } = lamp?.status ?? {};
  return [phase, ...conditions.filter(({ status }) => status === 'True').map(({ type }) => type)].join(' ');
}

const names = (objects: readonly AnyObject[]): (string | undefined)[] => objects.map(({ metadata }) => metadata.name);

/** The schema that a definition installs. */
function fieldsOf(installed: AnyObject): FieldTree {
  const { versions } = installed.spec as { versions: { schema: { openAPIV3Schema: FieldTree } }[] };
  return versions[0]?.schema.openAPIV3Schema ?? {};
}

/** Keeps every line. */
function capture(): {
  readonly lines: { fields: Record<string, unknown>; message: string; level: string }[];
  readonly log: Log;
} {
  const lines: { fields: Record<string, unknown>; message: string; level: string }[] = [];
  const at = (fields: object): Log => {
    const write = (level: string) => (more: object, message: string) =>
      void lines.push({ level, message, fields: { ...fields, ...more } });
    return {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
      child: (more) => at({ ...fields, ...more }),
    };
  };
  return { lines, log: at({}) };
}

describe.each([
  ['a small API', () => Stage.small()],
  ['the embedded server', () => Stage.embedded()],
])('the toy operator over %s', (_which, open) => {
  it('lights a lamp, then does nothing at all', async () => {
    const stage = await open();
    const operator = stage.start();
    await stage.createLamp('l');
    await stage.clock.advance(5_000);
    expect(await standing(stage, 'l')).toBe('Shining Ready');
    expect(names(await stage.bulbs())).toEqual(['l-1-0', 'l-1-1']);
    expect(stage.factory.batches.size).toBe(1);

    stage.requests.length = 0;
    stage.factory.looks = 0;
    await stage.clock.advance(4 * 60_000);
    expect(stage.requests).toEqual([]);
    expect(stage.factory.looks).toBe(0);
    // Watches are renewed every few minutes, and after ten hours every lamp is looked at once more: still no writes.
    await stage.clock.advance(12 * 60 * 60_000);
    expect(stage.writes()).toEqual([]);
    expect(stage.requests.every((request) => request.includes('watch=true'))).toBe(true);
    expect(await operator.stop()).toBe('stopped');
  });

  it('scales by creating and deleting exactly the difference', async () => {
    const stage = await open();
    const operator = stage.start();
    await stage.createLamp('l');
    await stage.clock.advance(5_000);
    stage.requests.length = 0;
    await stage.edit('l', { spec: { replicas: 3 } });
    await stage.clock.advance(5_000);
    expect(names(await stage.bulbs())).toEqual(['l-1-0', 'l-1-1', 'l-1-2']);
    await stage.edit('l', { spec: { replicas: 1 } });
    await stage.clock.advance(5_000);
    expect(names(await stage.bulbs())).toEqual(['l-1-0']);
    const pods = stage.writes().filter((request) => request.includes('/pods'));
    expect(pods.map((request) => request.split(' ')[0])).toEqual(['POST', 'DELETE', 'DELETE']);
    await stage.edit('l', { spec: { state: 'off' } });
    await stage.clock.advance(5_000);
    expect(await standing(stage, 'l')).toBe('Dark Ready');
    await operator.stop();
  });

  it('carries the counter over to a new image, old bulbs going last', async () => {
    const stage = await open();
    const operator = stage.start();
    await stage.createLamp('l');
    await stage.clock.advance(5_000);
    const [first] = stage.factory.batches.values();
    stage.factory.blink(first?.id ?? '', 41);
    let fewest = Number.POSITIVE_INFINITY;
    await stage.edit('l', { spec: { image: 'bulb:2' } });
    for (let step = 0; step < 50; step++) {
      await stage.clock.advance(1);
      fewest = Math.min(fewest, (await stage.bulbs()).length);
    }
    await stage.clock.advance(5_000);
    expect(fewest).toBeGreaterThanOrEqual(2);
    expect(await standing(stage, 'l')).toBe('Shining Ready');
    expect(names(await stage.bulbs())).toEqual(['l-2-0', 'l-2-1']);
    expect([...stage.factory.batches.values()].map(({ image, counter }) => [image, counter])).toEqual([
      ['bulb:1', 41],
      ['bulb:2', 41],
    ]);
    expect(stage.factory.receipts).toHaveLength(1);
    expect((await stage.lamp('l'))?.status).toMatchObject({ counter: 41, attempt: 2 });
    await operator.stop();
  });

  it('restarts bulbs one at a time by eviction', async () => {
    const stage = await open();
    const operator = stage.start();
    await stage.createLamp('l');
    await stage.clock.advance(5_000);
    stage.requests.length = 0;
    await stage.edit('l', { spec: { restartNonce: 1 } });
    await stage.clock.advance(5_000);
    expect(names(await stage.bulbs())).toEqual(['l-2-0', 'l-2-1']);
    const pods = stage.writes().filter((request) => request.includes('/pods'));
    expect(pods.map((request) => (request.includes('/eviction') ? 'evict' : 'create'))).toEqual([
      'evict',
      'create',
      'evict',
      'create',
    ]);
    expect(stage.factory.batches.size).toBe(1);
    await operator.stop();
  });

  it('admits an edit during a transition and touches only the side that does not serve', async () => {
    const stage = await open();
    let stuck = true;
    const ports = stage.factory.ports();
    const measure = (): Promise<never> => Promise.reject(new PortError('unknown', 'the factory is closed'));
    const operator = stage.start({
      lamps: {
        ports: {
          factory: {
            ...ports.factory,
            measure: (call) => (stuck ? measure() : (ports.factory?.measure?.(call) ?? Promise.resolve(null))),
          },
        },
      },
    });
    await stage.createLamp('l');
    await stage.clock.advance(5_000);
    await stage.edit('l', { spec: { image: 'bulb:broken' } });
    await stage.clock.advance(60_000);
    expect(await standing(stage, 'l')).toBe('Warming Ready Reconciling');
    expect(names(await stage.bulbs())).toEqual(['l-1-0', 'l-1-1']);
    await stage.edit('l', { spec: { image: 'bulb:3' } });
    stuck = false;
    await stage.clock.advance(120_000);
    expect(await standing(stage, 'l')).toBe('Shining Ready');
    expect(names(await stage.bulbs())).toEqual(['l-3-0', 'l-3-1']);
    await operator.stop();
  });

  it('stalls with a reason when the factory refuses, keeps the old bulbs, and goes on when the spec is mended', async () => {
    const stage = await open();
    const operator = stage.start();
    stage.factory.refused.add('bulb:bad');
    await stage.createLamp('l');
    await stage.clock.advance(5_000);
    await stage.edit('l', { spec: { image: 'bulb:bad' } });
    await stage.clock.advance(5_000);
    expect(await standing(stage, 'l')).toBe('Failing Ready Stalled');
    expect(names(await stage.bulbs())).toEqual(['l-1-0', 'l-1-1']);
    stage.requests.length = 0;
    stage.factory.looks = 0;
    await stage.clock.advance(60 * 60_000);
    expect(stage.writes()).toEqual([]);
    expect(stage.factory.looks).toBe(0);
    await stage.edit('l', { spec: { image: 'bulb:2' } });
    await stage.clock.advance(5_000);
    expect(await standing(stage, 'l')).toBe('Shining Ready');
    const { items } = await stage.person.resource(kinds.events).list();
    const said = items.filter((item) => item.reason === 'FactoryRefused');
    expect(said).toMatchObject([{ type: 'Warning', note: expect.stringContaining('Change the spec') }]);
    await operator.stop();
  });

  it('lets a deleted lamp go only when the factory has cleared up', async () => {
    const stage = await open();
    const operator = stage.start();
    await stage.createLamp('l');
    await stage.clock.advance(5_000);
    await stage.deleteLamp('l');
    await stage.clock.advance(5_000);
    expect(await stage.lamp('l')).toBeUndefined();
    expect(stage.factory.batches.size).toBe(0);
    await operator.stop();
  });

  it('repairs what others did to what it owns', async () => {
    const stage = await open();
    const operator = stage.start();
    await stage.createLamp('l');
    await stage.clock.advance(5_000);
    const configMaps = stage.person.resource(kinds.configMaps);
    const plan = { namespace: 'default', name: 'l-plan' };
    await configMaps.patch(plan, { type: 'merge', body: { data: { image: 'bulb:evil' } } });
    await stage.person.resource(kinds.pods).delete({ namespace: 'default', name: 'l-1-0' });
    await stage.clock.advance(5_000);
    expect((await configMaps.get(plan)).data).toMatchObject({ image: 'bulb:1' });
    expect(names(await stage.bulbs())).toEqual(['l-1-0', 'l-1-1']);
    await operator.stop();
  });

  it('never takes a bulb of the same name that belongs to somebody else', async () => {
    const stage = await open();
    const stranger = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'l-1-0', namespace: 'default' },
      spec: { containers: [{ name: 'x', image: 'x' }] },
    };
    await stage.person.resource(kinds.pods).create(stranger);
    const operator = stage.start();
    await stage.createLamp('l', { replicas: 1 });
    await stage.clock.advance(60_000);
    expect(await standing(stage, 'l')).toBe('Warming Reconciling');
    const [only] = await stage.bulbs();
    expect(only?.metadata.ownerReferences).toBeUndefined();
    // It is tried ever more slowly, and counted.
    expect(stage.writes().filter((request) => request.startsWith('POST')).length).toBeLessThan(15);
    expect((await operator.metrics.page()).text).toMatch(/cutover_repeated_decisions_total\{controller="lamp"\} [1-9]/);
    await stage.person.resource(kinds.pods).delete({ namespace: 'default', name: 'l-1-0' });
    await stage.clock.advance(10 * 60_000);
    expect(await standing(stage, 'l')).toBe('Shining Ready');
    await operator.stop();
  });

  it('leaves a paused lamp alone, visibly, until it is resumed', async () => {
    const stage = await open();
    const operator = stage.start();
    await stage.createLamp('l', {}, { annotations: { 'cutover.dev/paused': 'true' } });
    await stage.clock.advance(60_000);
    expect(await standing(stage, 'l')).toBe(' Paused');
    expect(await stage.bulbs()).toEqual([]);
    expect(stage.writes()).toHaveLength(1);
    await stage.edit('l', { metadata: { annotations: { 'cutover.dev/paused': null } } });
    await stage.clock.advance(5_000);
    expect(await standing(stage, 'l')).toBe('Shining Ready');
    await operator.stop();
  });

  it('prints decisions and writes nothing when it may only observe', async () => {
    const stage = await open();
    const { lines, log } = capture();
    const operator = stage.start({ log, options: { observeOnly: true, lease: { namespace: 'default', name: 'x' } } });
    await stage.createLamp('l');
    await stage.clock.advance(60_000);
    expect(stage.requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
    const said = lines.filter(({ message }) => message === 'would act');
    expect(said).toHaveLength(1);
    expect(said[0]?.fields).toMatchObject({
      controller: 'lamp',
      key: 'default/l',
      reconcile: expect.stringMatching(/^[0-9a-f]{8}$/),
      actions: ['patch Lamp default/l'],
    });
    await operator.stop();
  });

  it('needs no shard to be in charge of looking', async () => {
    const stage = await open();
    const lease = { namespace: 'default', name: 'x', shards: 4 };
    const operator = stage.start({ options: { observeOnly: true, lease } });
    await stage.clock.advance(60_000);
    expect((await operator.metrics.page()).text).toMatch(/^cutover_leader 1$/m);
    await operator.stop();
  });

  it('would do nothing about a lamp that is as it should be', async () => {
    const stage = await open();
    const operator = stage.start();
    await stage.createLamp('l');
    await stage.clock.advance(5_000);
    await operator.stop();
    const { lines, log } = capture();
    const observer = stage.start({ log, options: { observeOnly: true } });
    await stage.clock.advance(60_000);
    const said = lines.filter(({ message }) => message.startsWith('would'));
    expect(said).toMatchObject([{ message: 'would do nothing', fields: { key: 'default/l', actions: [] } }]);
    await observer.stop();
  });

  it('does not touch a lamp while another controller holds its lease, and goes on when that one stops', async () => {
    const stage = await open();
    const lease = { namespace: 'default', name: 'other-operator' };
    const now = (): string => new Date(stage.clock.now()).toISOString().replace('Z', '000Z');
    const spec = { holderIdentity: 'other', leaseDurationSeconds: 15, renewTime: now() };
    const object = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: lease, spec };
    await stage.person.resource(kinds.leases).create(object);
    const operator = stage.start({ lamps: { foreign: { leases: [lease] } } });
    await stage.createLamp('l');
    for (let i = 0; i < 10; i++) {
      await stage.clock.advance(5_000);
      await stage.person.resource(kinds.leases).patch(lease, { type: 'merge', body: { spec: { renewTime: now() } } });
    }
    expect(await standing(stage, 'l')).toBe(' ManagedElsewhere');
    expect(stage.writes()).toHaveLength(1);
    // The other one stops.
    await stage.clock.advance(30_000);
    expect(await standing(stage, 'l')).toBe('Shining Ready');
    await operator.stop();
  });

  it('does not act on a kind whose installed definition would drop fields of ours, until it is mended', async () => {
    const stage = await open();
    const installed = definition();
    const definitions = stage.person.resource(kinds.customResourceDefinitions);
    const name = { name: 'lamps.toy.cutover.dev' };
    const schema = fieldsOf(installed);
    const path = '/spec/versions/0/schema/openAPIV3Schema/properties/status/properties/transition';
    await definitions.create(installed).catch(() => {});
    await definitions.patch(name, { type: 'json', body: [{ op: 'remove', path }] });
    await stage.clock.advance(1_000);
    const operator = stage.start({ lamps: { schema } });
    await stage.createLamp('l');
    await stage.clock.advance(60_000);
    expect(await standing(stage, 'l')).toBe(' SchemaOutdated');
    const [condition] = (await stage.lamp('l'))?.status?.conditions ?? [];
    expect(condition?.message).toContain('(status.transition)');
    expect(await stage.bulbs()).toEqual([]);
    const value = schema.properties?.status?.properties?.transition;
    await definitions.patch(name, { type: 'json', body: [{ op: 'add', path, value }] });
    await stage.clock.advance(5_000);
    expect(await standing(stage, 'l')).toBe('Shining Ready');
    await operator.stop();
  });

  it('does not start a controller that is switched off', async () => {
    const stage = await open();
    const operator = stage.start({ options: { off: ['lamp'] } });
    await stage.createLamp('l');
    await stage.clock.advance(60_000);
    expect(stage.requests).toEqual([]);
    await operator.stop();
  });

  it('keeps a secret out of status, events and logs, and gives it to the factory', async () => {
    const stage = await open();
    const { lines, log } = capture();
    const operator = stage.start({ log });
    await stage.createLamp('l', { token: 'expired' });
    await stage.clock.advance(5_000);
    expect(await standing(stage, 'l')).toBe('Failing Stalled');
    expect(JSON.stringify(lines)).not.toContain('"expired"');
    await operator.stop();
  });

  it('hands over to a second operator at once when it is stopped, and never acts beside it', async () => {
    const stage = await open();
    const lease = { namespace: 'default', name: 'cutover' };
    const first = stage.start({ options: { lease } });
    await stage.createLamp('l');
    await stage.clock.advance(5_000);
    const second = stage.start({ options: { lease, instance: 'operator-1' } });
    await stage.clock.advance(5_000);
    await first.stop();
    await stage.edit('l', { spec: { replicas: 3 } });
    await stage.clock.advance(5_000);
    expect(await stage.bulbs()).toHaveLength(3);
    await second.stop();
  });
});

// The small API keeps no managed fields.
describe('the toy operator beside another controller', () => {
  it('leaves a lamp alone whose status another controller keeps, until it is told to take over; then it is ours', async () => {
    const stage = await Stage.embedded();
    const foreign = { managers: ['other-operator'] };
    const operator = stage.start({ lamps: { foreign } });
    const write = (name: string) =>
      stage.person
        .resource<Lamp>(lamp.type)
        .status.patch(
          { namespace: 'default', name },
          { type: 'merge', body: { status: { phase: 'Dark' } } },
          { fieldManager: 'other-operator' },
        );
    for (const name of ['waits', 'taken']) {
      await stage.createLamp(name, {}, { annotations: { 'cutover.dev/paused': 'true' } });
      await stage.clock.advance(2_000);
      await write(name);
      await stage.edit(name, { metadata: { annotations: { 'cutover.dev/paused': null } } });
    }
    await stage.edit('taken', { metadata: { annotations: { 'cutover.dev/takeover': 'true' } } });
    // However long it is quiet: a controller that has nothing to do writes nothing.
    await stage.clock.advance(24 * 3_600_000);
    expect(await standing(stage, 'waits')).toBe('Dark ManagedElsewhere');
    expect(await standing(stage, 'taken')).toBe('Shining Ready');
    await operator.stop();

    // The next process need not be told again.
    await stage.edit('taken', { metadata: { annotations: { 'cutover.dev/takeover': null } } });
    const next = stage.start({ lamps: { foreign } });
    await stage.edit('taken', { spec: { image: 'bulb:2' } });
    await stage.clock.advance(60_000);
    expect(await standing(stage, 'taken')).toBe('Shining Ready');
    expect((await stage.lamp('taken'))?.status?.attempt).toBe(2);
    await next.stop();
  });
});
