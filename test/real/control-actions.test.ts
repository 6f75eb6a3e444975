import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startControlPlane } from '../../rig/control-plane.ts';
import { realRandom } from '../../src/clock/random.ts';
import { realClock } from '../../src/clock/real.ts';
import { type Acted, act } from '../../src/control/act.ts';
import type { Hands } from '../../src/control/actions/hands.ts';
import { Journal } from '../../src/control/actions/journal.ts';
import { annotations } from '../../src/control/annotations.ts';
import { Calls } from '../../src/control/calls.ts';
import { type Action, refTo, type VersionedRef } from '../../src/control/decision.ts';
import { kindTable } from '../../src/control/kinds.ts';
import { OutcomeBook } from '../../src/control/outcome.ts';
import { createEmbedded } from '../../src/embedded/embedded.ts';
import { Client } from '../../src/kube/client.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import { lamp } from '../toy/resource.ts';
import { definition } from '../toy/stage.ts';
import { LampWorld } from './lamp-world.ts';

/** A server with the definition of lamps, and an administrator. */
interface Opened {
  readonly client: Client;
  close(): Promise<void>;
}

/** Caches that show nothing: every action asks the server, and its answer is what is tested. */
const blind: Hands['mirror'] = { peek: () => undefined, wrote: () => {}, removed: () => {} };

describe.each([
  ['a real API server', openReal],
  ['the embedded server', openEmbedded],
])('actions on %s', (_which, open) => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.close());

  let count = 0;
  /** A new lamp, as it is stored. */
  const newLamp = (): Promise<AnyObject> =>
    opened.client.resource(lamp.type).create({
      apiVersion: lamp.apiVersion,
      kind: 'Lamp',
      metadata: { name: `l-${count++}`, namespace: 'default' },
      spec: { image: 'bulb:1' },
    });
  const edit = ({ metadata: { name = '' } }: AnyObject): Promise<AnyObject> =>
    opened.client
      .resource(lamp.type)
      .patch({ namespace: 'default', name }, { type: 'merge', body: { spec: { brightness: 50 } } });
  const run = (about: AnyObject, ...actions: Action[]): Promise<Acted> => {
    const outcomes = new OutcomeBook(realClock);
    const hands: Hands = {
      client: opened.client,
      clock: realClock,
      kinds: kindTable([lamp.type]),
      mirror: blind,
      calls: new Calls({}, outcomes, () => {}),
      events: { record: () => {} },
      manager: 'cutover',
    };
    return act({ actions, because: 'of a test' }, hands, {
      key: 'k',
      journal: new Journal(lamp.type, refTo(about), () => true),
      outcomes,
      mayAct: () => true,
      signal: new AbortController().signal,
    });
  };
  const configMap = (owner: AnyObject, name: string, metadata: object = {}): AnyObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace: 'default',
      annotations: { [annotations.id]: `${owner.metadata.uid}-1` },
      ownerReferences: [
        {
          apiVersion: owner.apiVersion,
          kind: owner.kind,
          name: owner.metadata.name ?? '',
          uid: owner.metadata.uid ?? '',
          controller: true,
        },
      ],
      ...metadata,
    },
    data: { image: 'bulb:1' },
  });
  const label = (of: VersionedRef): Action => ({
    do: 'patch',
    of,
    patch: [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }],
  });

  it('replace the status and nothing else', async () => {
    const before = await newLamp();
    const of = refTo(before);
    expect(await run(before, { do: 'status', of, status: { phase: 'Warming' } })).toMatchObject({
      end: 'done',
      acted: 1,
    });
    const after = await opened.client.resource(lamp.type).get({ namespace: 'default', name: of.name });
    expect(after).toMatchObject({ spec: before.spec, status: { phase: 'Warming' }, metadata: { generation: 1 } });
  });

  it('refuse a status that the definition does not allow', async () => {
    const before = await newLamp();
    const ended = await run(before, { do: 'status', of: refTo(before), status: { phase: 'Glowing' } });
    expect(ended).toMatchObject({ end: 'refused', message: expect.stringContaining('status.phase') });
  });

  it('conflict when the object was edited in between', async () => {
    const before = await newLamp();
    const of = refTo(before);
    await edit(before);
    expect(await run(before, { do: 'status', of, status: { phase: 'Dark' } })).toMatchObject({
      end: 'conflict',
      acted: 0,
    });
    expect(await run(before, label(of))).toMatchObject({ end: 'conflict', acted: 0 });
    expect(await run(before, { do: 'delete', of })).toMatchObject({ end: 'conflict', acted: 0 });
    expect(await run(before, { do: 'apply', object: configMap(before, `${of.name}-a`) })).toMatchObject({
      end: 'conflict',
    });
  });

  it('conflict when the object is another one of the same name', async () => {
    const before = await newLamp();
    const of = { ...refTo(before), uid: '00000000-0000-4000-8000-000000000000' };
    expect(await run(before, label(of))).toMatchObject({ end: 'conflict' });
    expect(await run(before, { do: 'status', of, status: { phase: 'Dark' } })).toMatchObject({ end: 'conflict' });
    const { resourceVersion: _version, ...unversioned } = of;
    expect(await run(before, { do: 'delete', of: unversioned })).toMatchObject({ end: 'conflict' });
  });

  it('conflict when the patch does not fit, and refuse one that would make the object wrong', async () => {
    const before = await newLamp();
    const of = refTo(before);
    const missing: Action = { do: 'patch', of, patch: [{ op: 'remove', path: '/metadata/labels/none' }] };
    expect(await run(before, missing)).toMatchObject({ end: 'conflict' });
    const wrong: Action = { do: 'patch', of, patch: [{ op: 'replace', path: '/spec/replicas', value: -1 }] };
    expect(await run(before, wrong)).toMatchObject({
      end: 'refused',
      message: expect.stringContaining('spec.replicas'),
    });
    expect(await run(before, label(of))).toMatchObject({ end: 'done', acted: 1 });
  });

  it('are done when the object is gone already', async () => {
    const before = await newLamp();
    const name = `${before.metadata.name}-gone`;
    const made = await opened.client.resource(kinds.configMaps).create(configMap(before, name));
    const remove: Action = { do: 'delete', of: refTo(made) };
    expect(await run(before, remove)).toMatchObject({ end: 'done' });
    expect(await run(before, remove)).toMatchObject({ end: 'done' });
  });

  it('recognise their own creation and never take a stranger for it', async () => {
    const before = await newLamp();
    const name = `${before.metadata.name}-own`;
    const create: Action = { do: 'create', object: configMap(before, name) };
    expect(await run(before, create)).toMatchObject({ end: 'done' });
    expect(await run(before, create)).toMatchObject({ end: 'done' });
    const other: Action = { do: 'create', object: configMap(before, name, { annotations: { [annotations.id]: 'x' } }) };
    expect(await run(before, other)).toMatchObject({
      end: 'refused',
      message: expect.stringContaining('exists already'),
    });
  });

  it('refuse to write into a namespace that does not exist', async () => {
    const before = await newLamp();
    const object = configMap(before, 'c', { namespace: 'nowhere' });
    const message = expect.stringContaining('namespaces "nowhere" not found');
    expect(await run(before, { do: 'apply', object })).toMatchObject({ end: 'refused', message });
    expect(await run(before, { do: 'create', object })).toMatchObject({ end: 'refused', message });
  });

  it('back off when a disruption budget forbids an eviction', async () => {
    const before = await newLamp();
    const { name = '' } = before.metadata;
    const pods = opened.client.resource(kinds.pods);
    const made = await pods.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'default', labels: { lamp: name } },
      // No node, and nobody schedules it: what is below is the pod's status for good.
      spec: { schedulerName: 'nobody', containers: [{ name: 'bulb', image: 'bulb:1' }] },
    });
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    await pods.status.patch({ namespace: 'default', name }, { type: 'merge', body: { status } });
    await opened.client.resource(kinds.podDisruptionBudgets).create({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name, namespace: 'default' },
      spec: { minAvailable: 1, selector: { matchLabels: { lamp: name } } },
    });
    const { resourceVersion: _version, ...of } = refTo(made);
    const ended = await run(before, { do: 'evict', of });
    expect(ended).toMatchObject({ end: 'unavailable', message: expect.stringContaining('disruption budget') });
    expect((await pods.get({ namespace: 'default', name })).metadata.deletionTimestamp).toBeUndefined();
  });
});

async function openReal(): Promise<Opened> {
  const plane = await startControlPlane({ controllers: false });
  const { person } = await LampWorld.open(plane);
  // Without controllers nobody makes the account that pods need.
  await person.resource(kinds.serviceAccounts).create({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'default', namespace: 'default' },
  });
  return {
    client: person,
    async close() {
      await person.close();
      await plane.stop();
    },
  };
}

async function openEmbedded(): Promise<Opened> {
  const cluster = await createEmbedded({ clock: realClock, random: realRandom });
  const client = new Client(cluster.transport());
  await client.resource(kinds.customResourceDefinitions).create(definition());
  return { client, close: () => cluster.close() };
}
