import { type Random, seededRandom, suffix } from '../../clock/random.ts';
import { VirtualClock } from '../../clock/virtual.ts';
import type { AnyObject, Json, KubeObject } from '../../kube/object.ts';
import { apiVersionOf, type ResourceType } from '../../kube/resource-type.ts';
import { same } from '../kinds/checks.ts';
import * as resourceTypes from '../kinds/resource-types.ts';
import { strategyOf } from '../kinds/strategy-of.ts';
import type { Draft, StrategyContext } from '../resource.ts';
import { alreadyExists, conflict, invalid, notFound } from '../status-error.ts';
import { timestamp } from '../timestamp.ts';
import type { Change, RemoveOptions, Where, World } from '../world.ts';

type Handler = (change: Change) => void;

/**
 * A cluster in a map, for tests of controllers and nodes: the strategies of the built-in kinds around a plain store,
 * without HTTP, admission or managed fields. It counts its writes.
 */
export class TestWorld implements World {
  readonly clock: VirtualClock;
  readonly random: Random;
  /** Every write that changed something, as `verb plural namespace/name`. */
  readonly writes: string[] = [];
  /** Called before each write; throw to refuse it. */
  beforeWrite: (write: string) => void = () => {};
  readonly #extra: readonly ResourceType[];
  readonly #objects = new Map<string, Map<string, AnyObject>>();
  readonly #handlers = new Map<string, Set<Handler>>();
  #version = 0;

  constructor(seed = 1, extra: readonly ResourceType[] = []) {
    this.clock = new VirtualClock();
    this.random = seededRandom(seed);
    this.#extra = extra;
  }

  types(): readonly ResourceType[] {
    return [...Object.values(resourceTypes), ...this.#extra];
  }

  get<T extends KubeObject = AnyObject>(
    type: ResourceType,
    namespace: string | undefined,
    name: string,
  ): T | undefined {
    return this.#of(type).get(`${namespace ?? ''}/${name}`) as T | undefined;
  }

  list<T extends KubeObject = AnyObject>(type: ResourceType, where: Where = {}): readonly T[] {
    const all = [...this.#of(type).entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
    return all.filter(
      ({ metadata }) =>
        (where.namespace === undefined || metadata.namespace === where.namespace) &&
        (where.owner === undefined || metadata.ownerReferences?.some((owner) => owner.uid === where.owner)),
    ) as unknown as readonly T[];
  }

  async create<T extends KubeObject>(type: ResourceType, object: T): Promise<T> {
    const draft = structuredClone(object) as unknown as Draft;
    Object.assign(draft, { apiVersion: apiVersionOf(type), kind: type.kind });
    const { metadata } = draft;
    if (!metadata.name) metadata.name = `${metadata.generateName}${suffix(this.random)}`;
    this.#note('create', type, draft);
    if (this.get(type, metadata.namespace, metadata.name)) throw alreadyExists({ ...type, name: metadata.name });
    Object.assign(metadata, { uid: this.random.uuid(), creationTimestamp: timestamp(this.clock.now()) });
    const strategy = strategyOf(type.group, type.kind);
    if (strategy.generation) metadata.generation = 1;
    strategy.defaults?.(draft);
    strategy.prepareForCreate?.(draft, this.#context());
    this.#check(type, draft, undefined);
    return this.#put(type, draft, undefined) as unknown as T;
  }

  async update<T extends KubeObject>(type: ResourceType, object: T): Promise<T> {
    const before = this.#current(type, object);
    const draft = structuredClone(object) as unknown as Draft;
    const strategy = strategyOf(type.group, type.kind);
    strategy.defaults?.(draft);
    strategy.prepareForUpdate?.(draft, before, this.#context());
    draft.metadata.generation = before.metadata.generation;
    if (strategy.generation && !same(draft.spec, before.spec)) draft.metadata.generation += 1;
    this.#check(type, draft, before);
    if (same(draft, before)) return before as unknown as T;
    this.#note('update', type, draft);
    return this.#put(type, draft, before) as unknown as T;
  }

  async updateStatus<T extends KubeObject>(type: ResourceType, object: T): Promise<T> {
    const before = this.#current(type, object);
    const draft: Draft = structuredClone({ ...before, status: (object as unknown as AnyObject).status });
    if (same(draft, before)) return before as unknown as T;
    this.#note('status', type, draft);
    return this.#put(type, draft, before) as unknown as T;
  }

  async patch(type: ResourceType, namespace: string | undefined, name: string, patch: Json): Promise<AnyObject> {
    const before = this.get(type, namespace, name);
    if (!before) throw notFound({ ...type, name });
    return this.update(type, merged(before, patch) as unknown as AnyObject);
  }

  async bind(pod: KubeObject, node: string): Promise<void> {
    const before = this.#current(resourceTypes.pods, pod);
    const draft: Draft = structuredClone(before) as unknown as Draft;
    draft.spec.nodeName = node;
    this.#note('bind', resourceTypes.pods, draft);
    this.#put(resourceTypes.pods, draft, before);
  }

  async remove(type: ResourceType, object: KubeObject, options: RemoveOptions = {}): Promise<void> {
    const { namespace, name = '', uid } = object.metadata;
    const before = this.get(type, namespace, name);
    if (!before || before.metadata.uid !== uid) return;
    const strategy = strategyOf(type.group, type.kind);
    const draft = structuredClone(before) as unknown as Draft;
    const { metadata } = draft;
    const finalizers = new Set<string>(metadata.finalizers);
    if (options.propagation === 'Orphan') finalizers.add('orphan');
    if (options.propagation === 'Foreground') finalizers.add('foregroundDeletion');
    if (finalizers.size > 0) metadata.finalizers = [...finalizers];
    const grace = strategy.graceSeconds?.(before, options.graceSeconds) ?? 0;
    if (before.metadata.deletionTimestamp && grace >= (before.metadata.deletionGracePeriodSeconds ?? 0) && grace > 0) {
      return;
    }
    this.#note('delete', type, draft);
    const held = type.kind === 'Namespace' && draft.spec?.finalizers?.length > 0;
    if (grace === 0 && finalizers.size === 0 && !held) {
      this.#drop(type, before);
      return;
    }
    metadata.deletionTimestamp ??= timestamp(this.clock.now() + grace * 1000);
    metadata.deletionGracePeriodSeconds = grace;
    if (type.kind === 'Namespace') draft.status = { ...draft.status, phase: 'Terminating' };
    this.#put(type, draft, before);
  }

  watch<T extends KubeObject = AnyObject>(type: ResourceType, handler: (change: Change<T>) => void): () => void {
    const id = idOf(type);
    const handlers = this.#handlers.get(id) ?? new Set<Handler>();
    this.#handlers.set(id, handlers.add(handler as unknown as Handler));
    return () => void handlers.delete(handler as unknown as Handler);
  }

  #of(type: ResourceType): Map<string, AnyObject> {
    const id = idOf(type);
    const found = this.#objects.get(id) ?? new Map<string, AnyObject>();
    this.#objects.set(id, found);
    return found;
  }

  #current(type: ResourceType, object: KubeObject): AnyObject {
    const { namespace, name = '', resourceVersion } = object.metadata;
    const before = this.get(type, namespace, name);
    if (!before) throw notFound({ ...type, name });
    if (resourceVersion !== before.metadata.resourceVersion) throw conflict({ ...type, name }, 'it was modified');
    return before;
  }

  #check(type: ResourceType, draft: Draft, before: AnyObject | undefined): void {
    const errors = strategyOf(type.group, type.kind).validate?.(draft as AnyObject, before, this.#context()) ?? [];
    if (errors.length > 0) throw invalid(type.group, type.kind, draft.metadata.name, errors);
  }

  #put(type: ResourceType, draft: Draft, before: AnyObject | undefined): AnyObject {
    draft.metadata.resourceVersion = String(++this.#version);
    const after = frozen(draft) as AnyObject;
    const { deletionTimestamp, finalizers = [], deletionGracePeriodSeconds: grace = 0 } = after.metadata;
    const held = type.kind === 'Namespace' && draft.spec?.finalizers?.length > 0;
    if (before?.metadata.deletionTimestamp && deletionTimestamp && grace === 0 && finalizers.length === 0 && !held) {
      this.#drop(type, before);
      return after;
    }
    this.#of(type).set(`${after.metadata.namespace ?? ''}/${after.metadata.name}`, after);
    this.#tell(type, { before, after });
    return after;
  }

  #drop(type: ResourceType, before: AnyObject): void {
    this.#version++;
    this.#of(type).delete(`${before.metadata.namespace ?? ''}/${before.metadata.name}`);
    this.#tell(type, { before, after: undefined });
  }

  #tell(type: ResourceType, change: Change): void {
    for (const handler of [...(this.#handlers.get(idOf(type)) ?? [])]) handler(change);
  }

  #note(verb: string, type: ResourceType, draft: Draft): void {
    const write = `${verb} ${type.plural} ${draft.metadata.namespace ?? ''}/${draft.metadata.name}`;
    this.beforeWrite(write);
    this.writes.push(write);
  }

  #context(): StrategyContext {
    const find = (group: string, plural: string): ResourceType =>
      this.types().find((type) => type.group === group && type.plural === plural) ?? {
        ...resourceTypes.pods,
        group,
        plural,
      };
    return {
      clock: this.clock,
      random: this.random,
      read: (group, plural, namespace, name) => this.get(find(group, plural), namespace, name),
      all: (group, plural, namespace) => this.list(find(group, plural), namespace === undefined ? {} : { namespace }),
    };
  }
}

const idOf = (type: ResourceType): string => `${type.group}/${type.plural}`;

function merged(target: unknown, patch: Json): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const result: Record<string, unknown> = { ...(target as object) };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const child of Object.values(value)) frozen(child);
  return Object.freeze(value);
}
