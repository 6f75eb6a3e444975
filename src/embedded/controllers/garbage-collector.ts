import type { Json, KubeObject, OwnerReference } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { apiVersionOf } from '../../kube/resource-type.ts';
import { StatusError } from '../status-error.ts';
import type { Change, World } from '../world.ts';
import { breath, breathEvery, type Trouble } from './loop.ts';
import { recorder } from './recorder.ts';

const foreground = 'foregroundDeletion';
const orphan = 'orphan';

/** How long a deletion waits that an outsider's finalizer or a refused write holds up. */
const patience = 500;

/**
 * Deletes what has lost its owners, as Kubernetes' garbage collector does.
 *
 * - Background: when the last owner is gone, so is the owned.
 * - Foreground: an owner with the finalizer `foregroundDeletion` goes after those that block its deletion.
 * - Orphan: an owner with the finalizer `orphan` goes after it has been taken out of its dependents' references.
 *
 * An owner is its uid, not its name. An owner in another namespace does not exist for a namespaced object: the
 * reference is invalid and is said to be so in an event.
 *
 * It watches every resource that is served, custom ones included.
 */
export class GarbageCollector {
  readonly #world: World;
  readonly #trouble: Trouble | undefined;
  readonly #tell;
  readonly #stops = new Map<string, () => void>();
  readonly #waiting = new Map<string, { readonly type: ResourceType; readonly object: KubeObject }>();
  readonly #timers = new Set<() => void>();
  #running = false;
  #stopped = false;

  constructor(world: World, trouble?: Trouble) {
    this.#world = world;
    this.#trouble = trouble;
    this.#tell = recorder(world, { component: 'garbage-collector-controller' });
  }

  start(): void {
    this.#refresh();
    const definitions = this.#world.types().find((type) => type.kind === 'CustomResourceDefinition');
    if (!definitions) return;
    // Whoever serves custom resources hears of the same change; looking a moment later finds them served.
    const stop = this.#world.watch(definitions, () => queueMicrotask(() => this.#refresh()));
    this.#stops.set('definitions', stop);
  }

  /** Begins to watch resources that are served since the last look, and stops for those that are no longer. */
  #refresh(): void {
    if (this.#stopped) return;
    const present = new Map<string, ResourceType>(
      this.#world.types().map((type) => [`${type.group}/${type.plural}`, type]),
    );
    for (const [id, stop] of this.#stops) {
      if (present.has(id) || id === 'definitions') continue;
      stop();
      this.#stops.delete(id);
    }
    for (const [id, type] of present) {
      if (this.#stops.has(id)) continue;
      this.#stops.set(
        id,
        this.#world.watch(type, (change) => this.#changed(type, change)),
      );
      for (const object of this.#world.list(type)) this.#add(type, object);
    }
  }

  stop(): void {
    this.#stopped = true;
    for (const stop of this.#stops.values()) stop();
    for (const cancel of this.#timers) cancel();
  }

  #changed(type: ResourceType, { before, after }: Change): void {
    if (after && concerns(after)) this.#add(type, after);
    const replaced = before && (!after || after.metadata.uid !== before.metadata.uid);
    if (!replaced) return;
    this.#addDependents(before);
    this.#addOwners(before);
  }

  #addDependents(owner: KubeObject): void {
    for (const [type, object] of this.#dependents(owner)) this.#add(type, object);
  }

  /** A dependent that is gone may have been the last that held its owner. */
  #addOwners(object: KubeObject): void {
    for (const reference of object.metadata.ownerReferences ?? []) {
      const found = this.#find(reference, object.metadata.namespace);
      if (found) this.#add(found.type, found.object);
    }
  }

  #add(type: ResourceType, object: KubeObject): void {
    if (this.#stopped) return;
    this.#waiting.set(object.metadata.uid ?? '', { type, object });
    if (this.#running) return;
    this.#running = true;
    queueMicrotask(() => void this.#work());
  }

  async #work(): Promise<void> {
    let done = 0;
    for (const [uid, { type, object }] of this.#waiting) {
      if (++done % breathEvery === 0) await breath(this.#world.clock);
      if (this.#stopped) break;
      this.#waiting.delete(uid);
      try {
        await this.#look(type, object);
      } catch (error) {
        if (!(error instanceof StatusError)) {
          if (!this.#trouble) throw error;
          this.#trouble(`garbage collection of ${type.plural} ${object.metadata.name}`, error);
        }
        if (!(error instanceof StatusError) || error.status.code !== 404) this.#again(type, object);
      }
    }
    this.#running = false;
  }

  #again(type: ResourceType, object: KubeObject): void {
    const cancel = this.#world.clock.after(patience, () => {
      this.#timers.delete(cancel);
      this.#add(type, object);
    });
    this.#timers.add(cancel);
  }

  async #look(type: ResourceType, seen: KubeObject): Promise<void> {
    const { namespace, name = '', uid } = seen.metadata;
    const object = this.#world.get(type, namespace, name);
    if (!object || object.metadata.uid !== uid) return;
    const finalizers = object.metadata.finalizers ?? [];
    if (object.metadata.deletionTimestamp) {
      if (finalizers.includes(orphan)) return this.#release(type, object);
      if (finalizers.includes(foreground)) return this.#deleteDependentsFirst(type, object);
      return;
    }
    await this.#judge(type, object);
  }

  /** Whether an object that is not being deleted still has an owner. */
  async #judge(type: ResourceType, object: KubeObject): Promise<void> {
    const references = object.metadata.ownerReferences ?? [];
    if (references.length === 0) return;
    const owners = references.map((reference) => ({
      reference,
      found: this.#find(reference, object.metadata.namespace),
    }));
    for (const { reference, found } of owners) if (!found) this.#tellInvalid(type, object, reference);
    const living = owners.filter(({ found }) => found && !waitsForDependents(found.object));
    const waiting = owners.filter(({ found }) => found && waitsForDependents(found.object));
    const absent = owners.filter(({ found }) => !found);
    if (living.length > 0) {
      if (absent.length + waiting.length > 0) {
        await this.#keepOwners(
          type,
          object,
          living.map(({ reference }) => reference),
        );
      }
      return;
    }
    const policy = finalizersPolicy(object);
    if (waiting.length > 0 && this.#dependents(object).length > 0) {
      await this.#world.remove(type, object, { propagation: 'Foreground' });
    } else {
      await this.#world.remove(type, object, { propagation: policy });
    }
  }

  async #deleteDependentsFirst(type: ResourceType, object: KubeObject): Promise<void> {
    const dependents = this.#dependents(object);
    for (const [dependentType, dependent] of dependents) {
      if (!dependent.metadata.deletionTimestamp) this.#add(dependentType, dependent);
    }
    const blocking = dependents.some(([, dependent]) =>
      dependent.metadata.ownerReferences?.some(
        (owner) => owner.uid === object.metadata.uid && owner.blockOwnerDeletion === true,
      ),
    );
    if (!blocking) await this.#dropFinalizer(type, object, foreground);
  }

  async #release(type: ResourceType, object: KubeObject): Promise<void> {
    for (const [dependentType, dependent] of this.#dependents(object)) {
      const rest = (dependent.metadata.ownerReferences ?? []).filter((owner) => owner.uid !== object.metadata.uid);
      await this.#keepOwners(dependentType, dependent, rest);
    }
    await this.#dropFinalizer(type, object, orphan);
  }

  async #keepOwners(type: ResourceType, object: KubeObject, owners: readonly OwnerReference[]): Promise<void> {
    const { namespace, name = '', uid = '' } = object.metadata;
    const ownerReferences = owners.length > 0 ? (owners as unknown as Json) : null;
    await this.#world.patch(type, namespace, name, { metadata: { uid, ownerReferences } });
  }

  async #dropFinalizer(type: ResourceType, object: KubeObject, finalizer: string): Promise<void> {
    const { namespace, name = '', uid = '', resourceVersion = '' } = object.metadata;
    const finalizers = (object.metadata.finalizers ?? []).filter((one) => one !== finalizer);
    await this.#world.patch(type, namespace, name, { metadata: { uid, resourceVersion, finalizers } });
  }

  #dependents(owner: KubeObject): readonly (readonly [ResourceType, KubeObject])[] {
    const uid = owner.metadata.uid ?? '';
    const seen = new Set<string | undefined>();
    const found: (readonly [ResourceType, KubeObject])[] = [];
    for (const type of this.#world.types()) {
      for (const object of this.#world.list(type, { owner: uid })) {
        // An owner with a namespace owns nothing outside it; one object may be served under several groups.
        const foreign = owner.metadata.namespace && object.metadata.namespace !== owner.metadata.namespace;
        if (foreign || seen.has(object.metadata.uid)) continue;
        seen.add(object.metadata.uid);
        found.push([type, object]);
      }
    }
    return found;
  }

  #find(
    reference: OwnerReference,
    namespace: string | undefined,
  ): { readonly type: ResourceType; readonly object: KubeObject } | undefined {
    const group = reference.apiVersion.includes('/') ? reference.apiVersion.split('/')[0] : '';
    const types = this.#world.types().filter((type) => type.kind === reference.kind && type.group === group);
    const type = types.find((one) => apiVersionOf(one) === reference.apiVersion) ?? types[0];
    if (!type || (type.namespaced && !namespace)) return undefined;
    const object = this.#world.get(type, type.namespaced ? namespace : undefined, reference.name);
    return object && object.metadata.uid === reference.uid ? { type, object } : undefined;
  }

  /** Says so when the owner exists, but where it cannot own. */
  #tellInvalid(type: ResourceType, object: KubeObject, reference: OwnerReference): void {
    const types = this.#world.types().filter((one) => one.kind === reference.kind && one.namespaced);
    const elsewhere = types.some((one) => this.#world.list(one).some(({ metadata }) => metadata.uid === reference.uid));
    if (!elsewhere) return;
    const where = type.namespaced ? `namespace "${object.metadata.namespace}"` : 'namespace ""';
    const owner = `[${reference.apiVersion}/${reference.kind}, namespace: ${object.metadata.namespace ?? ''}, name: ${reference.name}, uid: ${reference.uid}]`;
    this.#tell(object, 'Warning', 'OwnerRefInvalidNamespace', `ownerRef ${owner} does not exist in ${where}`);
  }
}

/** Whether a change of this object may be the collector's business at all. */
function concerns({ metadata }: KubeObject): boolean {
  if (metadata.deletionTimestamp) {
    return (metadata.finalizers ?? []).some((one) => one === foreground || one === orphan);
  }
  return (metadata.ownerReferences ?? []).length > 0;
}

const waitsForDependents = ({ metadata }: KubeObject): boolean =>
  metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(foreground);

function finalizersPolicy({ metadata }: KubeObject): 'Background' | 'Foreground' | 'Orphan' {
  const finalizers = metadata.finalizers ?? [];
  if (finalizers.includes(orphan)) return 'Orphan';
  return finalizers.includes(foreground) ? 'Foreground' : 'Background';
}
