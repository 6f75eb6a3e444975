import type { AnyObject } from '../../kube/object.ts';
import type { User } from '../gate.ts';
import { rbacGroup, type WatchedCluster } from './cluster.ts';

export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface RoleRef {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

/** A binding that applies to someone, with the subject by which it does. */
export interface Found {
  readonly binding: AnyObject;
  readonly roleRef: RoleRef;
  readonly subject: Subject;
}

type ByName = Map<string, Found>;

/**
 * Finds the bindings of a user without looking at anyone else's: every binding is filed under its subjects, and the
 * files follow the cluster change by change.
 */
export class BindingIndex {
  readonly #files = new Map<string, ByName>();

  constructor(cluster: WatchedCluster) {
    for (const plural of ['clusterrolebindings', 'rolebindings']) {
      for (const binding of cluster.all(rbacGroup, plural)) this.#file(binding);
      cluster.watch(rbacGroup, plural, ({ before, after }) => {
        if (before) this.#unfile(before);
        if (after) this.#file(after);
      });
    }
  }

  /** The bindings of the whole cluster (no namespace) or of one namespace that apply to the user, by name. */
  *of(user: User, namespace: string | undefined): Iterable<Found> {
    const found = new Map<string, Found>();
    for (const who of [`User ${user.name}`, ...user.groups.map((group) => `Group ${group}`)]) {
      for (const [name, each] of this.#files.get(`${namespace ?? ''}/${who}`) ?? []) {
        if (!found.has(name)) found.set(name, each);
      }
    }
    for (const name of [...found.keys()].sort()) yield found.get(name) as Found;
  }

  #file(binding: AnyObject): void {
    for (const [key, subject] of keysOf(binding)) {
      const file = this.#files.get(key) ?? new Map<string, Found>();
      this.#files.set(key, file);
      file.set(binding.metadata.name ?? '', { binding, roleRef: binding.roleRef as RoleRef, subject });
    }
  }

  #unfile(binding: AnyObject): void {
    for (const [key] of keysOf(binding)) {
      const file = this.#files.get(key);
      file?.delete(binding.metadata.name ?? '');
      if (file?.size === 0) this.#files.delete(key);
    }
  }
}

/** A ServiceAccount is filed under the user name it has when it asks. One without a namespace is nobody. */
function* keysOf(binding: AnyObject): Iterable<[string, Subject]> {
  const namespace = binding.metadata.namespace ?? '';
  for (const subject of (binding.subjects ?? []) as readonly Subject[]) {
    if (subject.kind === 'ServiceAccount') {
      const home = subject.namespace || namespace;
      if (home) yield [`${namespace}/User system:serviceaccount:${home}:${subject.name}`, subject];
    } else if (subject.kind === 'User' || subject.kind === 'Group') {
      yield [`${namespace}/${subject.kind} ${subject.name}`, subject];
    }
  }
}
