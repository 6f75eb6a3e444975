import type { World } from '../../../src/embedded/world.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import type { Factory } from '../../toy/factory.ts';
import { type Lamp, lamp } from '../../toy/resource.ts';
import { servingBatch } from '../../toy/view.ts';
import type { Oracle, Writes } from '../subject.ts';

/** What must never be the case with a lamp. */
export class LampOracle implements Oracle {
  readonly violations: string[] = [];
  readonly writes: Writes = {};
  readonly #world: World;
  readonly #factory: Factory;
  readonly #lamps = new Set<string>();
  #attempt = 0;
  #generation = 0;

  constructor(world: World, factory: Factory) {
    this.#world = world;
    this.#factory = factory;
    for (const type of [lamp.type, kinds.pods, kinds.configMaps]) {
      world.watch(type, ({ before, after }) => {
        this.#count(before, after);
        this.#judge();
      });
    }
  }

  violate(what: string): void {
    this.violations.push(what);
  }

  judgeCall(id: string): void {
    const holds = this.#world.list(lamp.type).some(({ status }) => JSON.stringify(status ?? {}).includes(`"${id}"`));
    if (!holds) this.violate(`${id} was called although no stored status holds it`);
  }

  effects(): Readonly<Record<string, number>> {
    const uids = new Map([...this.#lamps].map((uid, index) => [uid, `UID${index}`]));
    const known = (what: string): string => what.replace(/[0-9a-f-]{36}/, (uid) => uids.get(uid) ?? uid);
    return Object.fromEntries([...this.#factory.asked].map(([what, times]) => [known(what), times]));
  }

  judgeEnd(): void {
    this.#judgeFactory();
  }

  isIdle(): boolean {
    return false;
  }

  /** All that the effects outside must not show either. */
  #judgeFactory(): void {
    const seen = new Set<string>();
    for (const { id } of this.#factory.receipts) {
      if (seen.has(id)) this.violate(`the counter was measured twice under ${id}`);
      seen.add(id);
    }
  }

  end(): unknown {
    const text = JSON.stringify(
      [lamp.type, kinds.pods, kinds.configMaps].map((type) => this.#world.list(type).filter(ours).map(essential)),
    );
    const [first] = this.#world.list(lamp.type);
    return JSON.parse(first?.metadata.uid ? text.replaceAll(first.metadata.uid, 'UID') : text);
  }

  #count(before: AnyObject | undefined, after: AnyObject | undefined): void {
    const object = after ?? before;
    const count = { created: 0, changed: 0, deleted: 0, ...this.writes[`${object?.kind} ${object?.metadata.name}`] };
    if (!before) count.created += 1;
    else if (!after) count.deleted += 1;
    else count.changed += 1;
    this.writes[`${object?.kind} ${object?.metadata.name}`] = count;
  }

  #judge(): void {
    this.#judgeFactory();
    const [object] = this.#world.list(lamp.type);
    if (!object) return;
    const { metadata, spec, status } = object as unknown as Lamp;
    this.#lamps.add(metadata.uid ?? '');
    const bulbs = this.#world.list(kinds.pods).filter((pod) => ours(pod) && !pod.metadata.deletionTimestamp);

    if (servingBatch(object as unknown as Lamp) && !metadata.deletionTimestamp && spec.state !== 'off') {
      if (bulbs.length === 0) this.violate('no bulb shines, although some did and the lamp is on');
    }
    for (const bulb of bulbs) {
      const owners = bulb.metadata.ownerReferences?.map(({ uid }) => uid) ?? [];
      if (!owners.includes(metadata.uid ?? '')) this.violate(`${bulb.metadata.name} belongs to a lamp that is gone`);
    }
    const { attempt = 0, observedGeneration = 0, conditions = [] } = status ?? {};
    if (attempt < this.#attempt) this.violate(`attempts went back from ${this.#attempt} to ${attempt}`);
    if (observedGeneration < this.#generation) this.violate('observedGeneration went back');
    this.#attempt = attempt;
    this.#generation = observedGeneration;
    const types = conditions.filter((condition) => condition.status === 'True').map(({ type }) => type);
    if (types.includes('Reconciling') && types.includes('Stalled')) this.violate('Reconciling and Stalled at once');
  }
}

function ours(object: AnyObject): boolean {
  return object.kind === 'Lamp' || object.metadata.ownerReferences !== undefined;
}

function essential(object: AnyObject): unknown {
  const { name, labels, annotations, finalizers } = object.metadata;
  const known = { kind: object.kind, name, labels, annotations, finalizers };
  // The rest of a pod is the cluster's: names of volumes, nodes, statuses.
  if (object.kind === 'Pod')
    return { ...known, containers: (object.spec as { containers: object[] }).containers.length };
  return { ...known, spec: object.spec, data: object.data, status: withoutTimes(object.status) };
}

function withoutTimes(status: unknown): unknown {
  return JSON.parse(JSON.stringify(status ?? null), (key, value) => (key === 'lastTransitionTime' ? undefined : value));
}
