import type { Clock } from '../clock/clock.ts';
import { kinds } from '../kube/kinds.ts';
import type { AnyObject, KubeObject } from '../kube/object.ts';
import { qualifiedName } from '../kube/resource-type.ts';
import type { Cached, Caches } from './caches.ts';
import type { Controller } from './controller.ts';
import { type Circumstances, keeperOf } from './custody.ts';
import { ForeignLease } from './foreign-lease.ts';
import type { LeaseObject } from './lease.ts';
import { type FieldTree, prunedFields } from './schema-fit.ts';

/** The part of a `CustomResourceDefinition` that says which fields are kept. */
interface Definition extends KubeObject {
  readonly spec: {
    readonly versions: readonly {
      readonly name: string;
      readonly schema?: { readonly openAPIV3Schema?: FieldTree };
    }[];
  };
}

/**
 * Watches what decides whether a kind is ours to act on: the leases of other controllers, the installed definition
 * of the kind, and whether others keep objects of it. Made before the caches start, begun afterwards.
 */
export class Surroundings {
  readonly #controller: Pick<Controller, 'foreign' | 'schema' | 'primary'>;
  readonly #clock: Clock;
  readonly #takeover: boolean;
  readonly #manager: string;
  readonly #leases: readonly { readonly name: string; readonly cached: Cached<LeaseObject> }[];
  readonly #definition: Cached<Definition> | undefined;
  #foreign: readonly { readonly name: string; readonly lease: ForeignLease }[] = [];
  #pruned: readonly string[] = [];
  /** The objects that other controllers keep, by kind and key, and who does. */
  readonly #kept = new Map<string, string>();
  readonly #unsubscribe: (() => void)[] = [];

  constructor(
    controller: Pick<Controller, 'foreign' | 'schema' | 'primary'>,
    options: { readonly caches: Caches; readonly clock: Clock; readonly takeover: boolean; readonly manager: string },
  ) {
    const { caches, clock, takeover, manager } = options;
    this.#controller = controller;
    this.#clock = clock;
    this.#takeover = takeover;
    this.#manager = manager;
    this.#leases = (controller.foreign?.leases ?? []).map(({ namespace, name }) => ({
      name: `${namespace}/${name}`,
      cached: caches.open<LeaseObject>({
        type: kinds.leases,
        namespace,
        fieldSelector: { 'metadata.name': name },
        optional: true,
      }),
    }));
    const definition = { 'metadata.name': qualifiedName(controller.primary.type) };
    this.#definition = controller.schema
      ? caches.open<Definition>({ type: kinds.customResourceDefinitions, fieldSelector: definition, optional: true })
      : undefined;
  }

  /** Resolves when enough is known to act. `onChange` is called whenever the circumstances may have changed. */
  async begin(signal: AbortSignal, onChange: () => void): Promise<void> {
    for (const { cached } of this.#leases) await cached.synced(signal);
    this.#foreign = this.#leases.map(({ name, cached }) => ({
      name,
      lease: new ForeignLease(cached, this.#clock, onChange),
    }));
    await this.#definition?.synced(signal);
    const unsubscribe = this.#definition?.changes(({ after }) => {
      const before = this.#pruned;
      this.#pruned = after ? this.#prunedBy(after) : [];
      if (before.join() !== this.#pruned.join()) onChange();
    });
    if (unsubscribe) this.#unsubscribe.push(unsubscribe);
    const { foreign, primary } = this.#controller;
    if (foreign?.firstWordMs === undefined) return;
    for (const { cached } of foreign.alsoKeep ?? []) await cached.synced(signal);
    const isAlive = (object: KubeObject): boolean => !foreign.isOver?.(object);
    this.#watchKeepers(primary as unknown as Cached, foreign.managers ?? [], isAlive);
    for (const { cached, managers } of foreign.alsoKeep ?? []) this.#watchKeepers(cached, managers, () => true);
  }

  /** Whoever is shown what there is before keys are worked on knows of all. */
  #watchKeepers(cached: Cached, foreignManagers: readonly string[], counts: (object: KubeObject) => boolean): void {
    const who = { foreignManagers, manager: this.#manager };
    const unsubscribe = cached.changes(({ key, after }) => {
      const keeper = after && counts(after) ? keeperOf(after as AnyObject, who) : undefined;
      const id = `${cached.type.kind} ${key}`;
      if (keeper === undefined) this.#kept.delete(id);
      else this.#kept.set(id, keeper);
    });
    this.#unsubscribe.push(unsubscribe);
  }

  end(): void {
    for (const { lease } of this.#foreign) lease.close();
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe();
  }

  circumstances(): Circumstances {
    const { foreign } = this.#controller;
    const [keeper] = this.#kept.values();
    const { firstWordMs } = foreign ?? {};
    return {
      ...(keeper !== undefined && firstWordMs !== undefined && { neighbour: { manager: keeper, firstWordMs } }),
      foreignLease: this.#foreign.find(({ lease }) => lease.alive())?.name,
      foreignManagers: foreign?.managers ?? [],
      manager: this.#manager,
      takeover: this.#takeover,
      prunedFields: this.#pruned,
    };
  }

  /** Why the whole kind is left alone, for people; `undefined` when it is not. */
  aside(): string | undefined {
    const { foreignLease, prunedFields: pruned } = this.circumstances();
    if (foreignLease !== undefined) return `another controller renews the lease ${foreignLease}`;
    return pruned.length > 0 ? `the installed definition would drop ${pruned.join(', ')}` : undefined;
  }

  #prunedBy(definition: Definition): readonly string[] {
    const { schema, primary } = this.#controller;
    const version = definition.spec.versions.find(({ name }) => name === primary.type.version);
    return schema ? prunedFields(schema, version?.schema?.openAPIV3Schema ?? {}) : [];
  }
}
