import { stamped } from '../../control/actions/apply.ts';
import type { Action, JsonPatch, Ref } from '../../control/decision.ts';
import { Sealed } from '../../control/sealed.ts';
import type { AnyObject, KubeObject } from '../../kube/object.ts';

/** A few objects of a cluster, to which actions can be done as a server does them. */
export class SmallCluster {
  readonly #objects = new Map<string, AnyObject>();
  #version = 100;

  constructor(objects: readonly KubeObject[]) {
    for (const object of objects) this.put(object);
  }

  put(object: KubeObject): void {
    this.#version += 1;
    const { metadata } = object;
    const identity = { uid: metadata.uid ?? `uid-${this.#version}`, resourceVersion: String(this.#version) };
    this.#objects.set(keyOf(object), { ...object, metadata: { ...metadata, ...identity } });
  }

  get<T extends KubeObject>(kind: string, name: string): T | undefined {
    return this.all<T>(kind).find(({ metadata }) => metadata.name === name);
  }

  all<T extends KubeObject>(kind: string, namespace?: string): readonly T[] {
    const found = [...this.#objects.values()].filter(
      (object) => object.kind === kind && (namespace === undefined || object.metadata.namespace === namespace),
    );
    return found as unknown as readonly T[];
  }

  /** What the server would do. What is deleted is gone at once. */
  do(action: Action): void {
    if (action.do === 'create') this.put(begun(action.object));
    else if (action.do === 'apply') this.#apply(action.object);
    else if (action.do === 'status') this.put({ ...this.#expect(action.of), ...{ status: action.status } });
    else if (action.do === 'patch') this.put(patched(this.#expect(action.of), action.patch));
    else if (action.do === 'delete') this.#objects.delete(keyOf(this.#expect(action.of)));
    else throw new Error(`nobody does ${action.do} here`);
  }

  #apply(object: KubeObject): void {
    const uid = this.#objects.get(keyOf(object))?.metadata.uid;
    this.put({ ...object, metadata: { ...stamped(object).metadata, ...(uid !== undefined && { uid }) } });
  }

  #expect(of: Ref): AnyObject {
    const found = this.all<AnyObject>(of.kind).find(({ metadata }) => metadata.uid === of.uid);
    if (!found) throw new Error(`${of.kind} ${of.name} is not there`);
    const { resourceVersion } = found.metadata;
    if (of.resourceVersion !== undefined && of.resourceVersion !== resourceVersion) {
      throw new Error(`${of.kind} ${of.name} is at ${resourceVersion}, not at ${of.resourceVersion}`);
    }
    return found;
  }
}

function begun(object: KubeObject): KubeObject {
  return object.kind === 'Namespace' ? { ...object, ...{ status: { phase: 'Active' } } } : object;
}

function keyOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}

/** As much of RFC 6902 as decisions here use. */
function patched(object: AnyObject, patch: JsonPatch): AnyObject {
  const copy = structuredClone(object) as AnyObject;
  for (const operation of patch) {
    const names = operation.path.split('/').slice(1);
    const path = names.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = path.pop() ?? '';
    const parent = path.reduce((at, key) => Reflect.get(at, key) as object, copy as object);
    if (operation.op === 'add' || operation.op === 'replace') Reflect.set(parent, last, operation.value);
    else if (operation.op === 'remove' && Array.isArray(parent)) parent.splice(Number(last), 1);
    else if (operation.op === 'remove') Reflect.deleteProperty(parent, last);
  }
  return copy;
}

/** What Secrets hold: a value that nobody can read. */
export function sealed(value: string): Sealed {
  return new Sealed(value, `sealed:${value}`);
}
