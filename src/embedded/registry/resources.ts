import type { ServedResource } from '../resource.ts';

/** Every resource that is served now, by the names in its path. Custom ones come and go. */
export class Resources {
  readonly #served = new Map<string, ServedResource>();
  readonly #anyVersion = new Map<string, ServedResource>();
  #all: readonly ServedResource[] | undefined;

  /** Resources in the order they were first served. The same array as long as nothing changes. */
  all(): readonly ServedResource[] {
    this.#all ??= [...this.#served.values()];
    return this.#all;
  }

  find(group: string, version: string, plural: string): ServedResource | undefined {
    return this.#served.get(`${group}/${version}/${plural}`);
  }

  /** The resource in whatever version is served first. */
  any(group: string, plural: string): ServedResource | undefined {
    return this.#anyVersion.get(`${group}/${plural}`);
  }

  /** Serves these instead of those. */
  replace(gone: readonly ServedResource[], come: readonly ServedResource[]): void {
    const keyOf = ({ group, version, plural }: ServedResource): string => `${group}/${version}/${plural}`;
    const kept = new Set(come.map(keyOf));
    for (const one of gone) if (!kept.has(keyOf(one))) this.#served.delete(keyOf(one));
    for (const one of come) this.#served.set(keyOf(one), one);
    this.#all = undefined;
    this.#anyVersion.clear();
    for (const one of this.#served.values()) {
      const name = `${one.group}/${one.plural}`;
      if (!this.#anyVersion.has(name)) this.#anyVersion.set(name, one);
    }
  }
}
