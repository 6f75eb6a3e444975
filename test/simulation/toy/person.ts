import type { World } from '../../../src/embedded/world.ts';
import type { Client } from '../../../src/kube/client.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { Factory } from '../../toy/factory.ts';
import { bulb } from '../../toy/manifests.ts';
import { type Lamp, lamp } from '../../toy/resource.ts';
import { definition } from '../../toy/stage.ts';
import { servingBatch, transitionOf } from '../../toy/view.ts';
import type { Patience } from '../patience.ts';
import type { Oracle } from '../subject.ts';

const transitionPath = '/spec/versions/0/schema/openAPIV3Schema/properties/status/properties/transition';

/** What a person can do to a lamp, and how to wait for what comes of it. */
export interface Person {
  create(spec: Partial<Lamp['spec']>): Promise<void>;
  edit(spec: Partial<Lamp['spec']>): Promise<void>;
  remove(): Promise<void>;
  /** The lamp blinks: that is the state that must not be lost. */
  blink(times: number): Promise<void>;
  /** Copies the first bulb that the next transition will make, under its name, with all but its owner. */
  copyNextBulb(): Promise<void>;
  /** Takes the copy away; a violation when somebody else did, or the lamp took it for its own. */
  removeCopy(): Promise<void>;
  /** Installs a definition of lamps that silently drops the id of a measurement from the status. */
  dropMeasureId(): Promise<void>;
  /** Installs the true definition again. */
  keepAll(): Promise<void>;
  /** Until the lamp is as asked and nothing is under way; a violation when that does not happen. */
  settle(): Promise<void>;
  /** Until the lamp is gone. */
  gone(): Promise<void>;
  pause(ms: number): Promise<void>;
}

export function personWith(client: Client, world: World, patience: Patience, factory: Factory, oracle: Oracle): Person {
  const lamps = client.resource<Lamp>(lamp.type);
  const pods = client.resource(kinds.pods);
  const definitions = client.resource(kinds.customResourceDefinitions);
  const name = { namespace: 'default', name: 'l' };
  const look = (): Lamp | undefined => world.get<Lamp>(lamp.type, 'default', 'l');
  const read = async (): Promise<Lamp | undefined> => (await lamps.list({ namespace: 'default' })).items[0];
  const until = (done: (object: Lamp | undefined) => boolean, what: string): Promise<void> =>
    patience.until(
      () => done(look()),
      (minutes) => oracle.violate(`${what} within ${minutes} minutes: ${JSON.stringify(look()?.status)}`),
    );
  const keep = async (schema: object): Promise<void> => {
    const body = [{ op: 'replace', path: transitionPath, value: schema }] as const;
    await definitions.patch({ name: definition().metadata.name ?? '' }, { type: 'json', body });
    await patience.pause(100);
  };
  let copy = { name: '', uid: '' };
  return {
    create: async (spec) => {
      const object = { apiVersion: lamp.apiVersion, kind: 'Lamp', metadata: name, spec: { image: 'bulb:1', ...spec } };
      await lamps.create(object as Lamp);
    },
    edit: async (spec) => void (await lamps.patch(name, { type: 'merge', body: { spec } })),
    remove: async () => void (await lamps.delete(name)),
    blink: async (times) => {
      const object = await read();
      factory.blink((object && servingBatch(object)) ?? '', times);
    },
    copyNextBulb: async () => {
      const object = await lamps.get(name);
      const next = `${object.metadata.uid}-${(object.status?.attempt ?? 0) + 1}`;
      const { metadata, ...rest } = bulb(object, next, next, 0);
      const { ownerReferences: _owners, ...unowned } = metadata;
      const created = await pods.create({ ...rest, metadata: { ...unowned, namespace: 'default' } });
      copy = { name: created.metadata.name ?? '', uid: created.metadata.uid ?? '' };
    },
    removeCopy: async () => {
      if (settled(await read())) oracle.violate(`the lamp counts on ${copy.name}, which is not its own`);
      const { items } = await pods.list({ namespace: 'default' });
      const present = items.find(({ metadata }) => metadata.uid === copy.uid);
      if (!present || present.metadata.deletionTimestamp) oracle.violate(`${copy.name} was removed, a stranger's`);
      else await pods.delete({ namespace: 'default', name: copy.name });
    },
    dropMeasureId: () =>
      keep({
        type: 'object',
        properties: {
          ...Object.fromEntries(['id', 'kind', 'spec', 'from', 'failed'].map((key) => [key, { type: 'string' }])),
          ...Object.fromEntries(['triedAt', 'measured'].map((key) => [key, { type: 'integer', format: 'int64' }])),
          retiring: { type: 'boolean' },
        },
      }),
    keepAll: () => keep({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
    settle: () => until(settled, 'the lamp did not become as asked'),
    gone: () => until((object) => object === undefined, 'the lamp did not go'),
    pause: (ms) => patience.pause(ms),
  };
}

function settled(object: Lamp | undefined): boolean {
  if (!object?.status || transitionOf(object)) return false;
  const ready = object.status.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'True' && object.status.observedGeneration === object.metadata.generation;
}
