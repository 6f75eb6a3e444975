import type { VirtualClock } from '../../src/clock/virtual.ts';
import type { World } from '../../src/embedded/world.ts';
import type { Client } from '../../src/kube/client.ts';
import { isKubeError } from '../../src/kube/error.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import type { Mischief } from './subject.ts';

/** How long somebody holds the operator off before thinking better of it. */
const pauseMs = 30_000;
/** How often somebody looks whether it is time. */
const lookMs = 1_000;

/** What can be done to the resources of any family, and changes nothing in the end. */
export const commonMischief = {
  'label it': { end: 'as if nothing' },
  'pause it for a while': { end: 'as if nothing' },
} as const satisfies Readonly<Record<string, Mischief>>;

export interface Playground {
  readonly client: Client;
  readonly world: World;
  readonly clock: VirtualClock;
}

/** What is done to objects behind everybody's back. Whatever is not there any more is left alone. */
export class Acts {
  readonly #ground: Playground;

  constructor(ground: Playground) {
    this.#ground = ground;
  }

  /** Does what `commonMischief` names to all objects of these types. Returns whether it was one of those. */
  async common(name: string, types: readonly ResourceType[]): Promise<boolean> {
    const { clock } = this.#ground;
    if (name === 'label it') {
      await this.patchAll(types, { metadata: { labels: { 'example.com/looked-at': 'true' } } });
    } else if (name === 'pause it for a while') {
      const paused = (value: string | null): object => ({ metadata: { annotations: { 'cutover.dev/paused': value } } });
      await this.patchAll(types, paused('true'));
      clock.after(pauseMs, () => void this.patchAll(types, paused(null)));
    } else return false;
    return true;
  }

  /** Does something as soon as it may be done: at once, or when it is found so later. */
  async once(mayBe: () => boolean, deed: () => Promise<void>): Promise<void> {
    if (mayBe()) return await deed();
    this.#ground.clock.after(lookMs, () => void this.once(mayBe, deed));
  }

  async patchAll(types: readonly ResourceType[], body: object): Promise<void> {
    for (const type of types) {
      for (const object of this.#ground.world.list(type)) await this.patch(type, object, body);
    }
  }

  async patch(type: ResourceType, { metadata }: AnyObject, body: object): Promise<void> {
    const { namespace = '', name = '' } = metadata;
    const at = type.namespaced ? { namespace, name } : { name };
    await unlessGone(this.#ground.client.resource(type).patch(at, { type: 'merge', body }));
  }

  async remove(type: ResourceType, objects: readonly AnyObject[]): Promise<void> {
    for (const { metadata } of objects) {
      const { namespace = '', name = '' } = metadata;
      const at = type.namespaced ? { namespace, name } : { name };
      await unlessGone(this.#ground.client.resource(type).delete(at));
    }
  }

  /** Objects of a type that are not on their way out, of these. */
  present(type: ResourceType, which: (object: AnyObject) => boolean): readonly AnyObject[] {
    return this.#ground.world.list(type).filter((object) => !object.metadata.deletionTimestamp && which(object));
  }

  /** All pods of a node end at once, politely. */
  async drain(which: (pod: AnyObject) => boolean): Promise<void> {
    await this.remove(kinds.pods, this.present(kinds.pods, which));
  }
}

async function unlessGone(deed: Promise<unknown>): Promise<void> {
  try {
    await deed;
  } catch (error) {
    if (!isKubeError(error, 'not-found', 'conflict', 'forbidden')) throw error;
  }
}
