import type { CacheScope } from '../../control/cache-scope.ts';
import type { Cached, Caches } from '../../control/caches.ts';
import { isKubeError } from '../../kube/error.ts';
import type { AnyObject, KubeObject } from '../../kube/object.ts';
import { keyOf } from '../../kube/reflector/key.ts';
import type { ResourceType } from '../../kube/resource-type.ts';

type View = Cached<AnyObject, 'namespace'>;

/**
 * The objects of one kind, found by their namespace. To be opened before the caches start, and begun at any time. No controller
 * waits for them: a kind that is not installed, or not ours to read in some namespace, keeps nobody from acting on others.
 */
export class Shelf {
  readonly type: ResourceType;
  readonly #views: readonly View[];
  readonly #seen = new Set<View>();

  constructor(caches: Caches, scope: CacheScope, namespaces: readonly string[]) {
    this.type = scope.type;
    const open = (one: CacheScope): View =>
      caches.open<AnyObject, 'namespace'>({ ...one, indexes: { namespace: namespaceOf } }, { toShow: true });
    this.#views =
      namespaces.length === 0 ? [open(scope)] : namespaces.map((namespace) => open({ ...scope, namespace }));
  }

  /** Tells every object and every change, from when the first ones have been seen until the signal aborts. */
  async begin(signal: AbortSignal, onChange: (key: string, namespace: string) => void): Promise<void> {
    await Promise.all(
      this.#views.map(async (view) => {
        await view.synced(signal);
        if (signal.aborted) return;
        this.#seen.add(view);
        const stop = view.changes(({ key, before, after }) => {
          onChange(key, (after ?? before)?.metadata.namespace ?? '');
        });
        signal.addEventListener('abort', stop, { once: true });
      }),
    );
  }

  get(key: string): AnyObject | undefined {
    for (const view of this.#views) {
      const object = view.get(key);
      if (object) return object;
    }
    return undefined;
  }

  /** All of a namespace; `undefined` when they could not be read. */
  in(namespace: string): readonly AnyObject[] | undefined {
    return this.isComplete ? this.#views.flatMap((view) => view.by('namespace', namespace)) : undefined;
  }

  /** The object, that there is none, or that nobody knows. */
  find(namespace: string, name: string): AnyObject | 'absent' | 'unknown' {
    const found = this.get(keyOf({ metadata: { namespace, name } }));
    return found ?? (this.isComplete ? 'absent' : 'unknown');
  }

  /** Everything that there is has been seen; it may be out of date. */
  get isComplete(): boolean {
    return this.#views.every((view) => this.#seen.has(view) && !cannotBeRead(view));
  }

  /** Nothing is to be waited for: it was seen, or there is nothing to be seen. */
  get isSettled(): boolean {
    return this.#views.every((view) => this.#seen.has(view) || cannotBeRead(view));
  }
}

function cannotBeRead({ trouble }: View): boolean {
  return isKubeError(trouble, 'forbidden', 'not-found');
}

function namespaceOf({ metadata }: KubeObject): readonly string[] {
  return [metadata.namespace ?? ''];
}
