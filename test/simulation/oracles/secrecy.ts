import type { World } from '../../../src/embedded/world.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import type { ResourceType } from '../../../src/kube/resource-type.ts';

/** Shorter values are words that may stand anywhere. */
const shortest = 12;

/**
 * Knows the values of all Secrets that ever were in the cluster, whoever made them, and finds them where they do not
 * belong: in log lines, events, statuses and annotations.
 */
export class Secrecy {
  readonly #world: World;
  readonly #values = new Map<string, string>();
  readonly #violate: (what: string) => void;

  constructor(world: World, violate: (what: string) => void) {
    this.#world = world;
    this.#violate = violate;
    world.watch(kinds.secrets, ({ after }) => after && this.#learn(after));
    world.watch(kinds.events, ({ after }) => after && this.look(`event ${after.metadata.name}`, after));
  }

  /** What is shown to people must hold no value of a Secret. */
  look(where: string, shown: unknown): void {
    if (this.#values.size === 0) return;
    const text = typeof shown === 'string' ? shown : JSON.stringify(shown);
    for (const [value, name] of this.#values) {
      if (text.includes(value)) this.#violate(`${where} shows what Secret ${name} holds`);
    }
  }

  /** Looks at what is public of an object: all but the contents of Secrets. */
  lookAt({ kind, metadata, status }: AnyObject): void {
    this.look(`${kind} ${metadata.name}`, { annotations: metadata.annotations, status });
  }

  /** Looks once more, at all objects of these types: what is secret may have become known after they were written. */
  lookAround(types: readonly ResourceType[]): void {
    for (const object of types.flatMap((type) => this.#world.list(type))) this.lookAt(object);
  }

  #learn({ metadata, data }: AnyObject): void {
    for (const encoded of Object.values((data ?? {}) as Readonly<Record<string, string>>)) {
      const decoded = Buffer.from(encoded, 'base64').toString();
      for (const value of [encoded, decoded]) {
        if (value.length >= shortest) this.#values.set(value, `${metadata.namespace}/${metadata.name}`);
      }
    }
  }
}
