import type { World } from '../../../src/embedded/world.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import type { ResourceType } from '../../../src/kube/resource-type.ts';

/** Shorter values are words that may stand anywhere. */
const shortest = 12;

/** How values begin that people write into a specification and that nobody is told. */
export const untold = 'nobody-is-told-';

/**
 * Knows the values of all Secrets that ever were in the cluster, whoever made them, and finds them where they do not
 * belong: in log lines, events, statuses and annotations. Of values in specifications that nobody is told it knows, too: they may
 * stand in copies of the specification that a status or an object keeps, but not in what is told to people.
 */
export class Secrecy {
  readonly #world: World;
  readonly #values = new Map<string, string>();
  readonly #untold = new Map<string, string>();
  readonly #violate: (what: string) => void;

  constructor(world: World, violate: (what: string) => void) {
    this.#world = world;
    this.#violate = violate;
    world.watch(kinds.secrets, ({ after }) => after && this.#learn(after));
    world.watch(kinds.events, ({ after }) => after && this.listen(`event ${after.metadata.name}`, after));
  }

  /** What is told to people must hold neither a value of a Secret nor one that nobody is told. */
  listen(where: string, told: unknown): void {
    this.#find(where, told, new Map([...this.#values, ...this.#untold]));
  }

  /** Looks at what is public of an object: all but the contents of Secrets. */
  lookAt({ kind, metadata, spec, status }: AnyObject): void {
    const where = `${kind} ${metadata.name}`;
    for (const [value] of JSON.stringify(spec ?? {}).matchAll(new RegExp(`${untold}[\\w-]+`, 'g'))) {
      this.#untold.set(value, `the specification of ${where}`);
    }
    this.#find(where, { annotations: metadata.annotations, status }, this.#values);
    const { conditions, error } = (status ?? {}) as { readonly conditions?: unknown; readonly error?: unknown };
    this.listen(`the status of ${where}`, { conditions, error });
  }

  /** Looks once more, at all objects of these types: what is secret may have become known after they were written. */
  lookAround(types: readonly ResourceType[]): void {
    for (const object of types.flatMap((type) => this.#world.list(type))) this.lookAt(object);
  }

  #find(where: string, shown: unknown, values: ReadonlyMap<string, string>): void {
    if (values.size === 0) return;
    const text = typeof shown === 'string' ? shown : JSON.stringify(shown);
    for (const [value, name] of values) {
      if (text.includes(value)) this.#violate(`${where} shows what ${name} holds`);
    }
  }

  #learn({ metadata, data }: AnyObject): void {
    for (const encoded of Object.values((data ?? {}) as Readonly<Record<string, string>>)) {
      const decoded = Buffer.from(encoded, 'base64').toString();
      for (const value of [encoded, decoded]) {
        if (value.length >= shortest) this.#values.set(value, `Secret ${metadata.namespace}/${metadata.name}`);
      }
    }
  }
}
