import type { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import type { AnyObject } from '../../kube/object.ts';
import { nameOf } from '../../kube/resource.ts';
import type { ResourceType } from '../../kube/resource-type.ts';

/** A finalizer that Cutover puts on resources of a kind. */
export interface OurFinalizer {
  readonly type: ResourceType;
  readonly finalizer: string;
  /** The other controller to which an object belongs, for it keeps its status: its finalizer is not ours, though it has the name. */
  readonly keeper?: (object: AnyObject) => string | undefined;
}

/** What became of the resources of one kind. */
export interface Released {
  /** Those whose finalizer is off, or would be. */
  readonly released: number;
  /** Those among them that were being deleted: nothing holds them any more. */
  readonly gone: number;
  /** Those that could not be released, `name in namespace: why`. The others do not wait for them. */
  readonly held: readonly string[];
  /** Those that belong to other controllers, and these. */
  readonly left: number;
  readonly keepers: readonly string[];
  /** Namespaces that may not be looked into. The others do not wait for them. */
  readonly unread: readonly Unread[];
}

/** One kind may not be looked at in one namespace. */
export interface Unread {
  readonly namespace: string;
  readonly kind: string;
  readonly why: string;
}

export const none: Released = { released: 0, gone: 0, held: [], left: 0, keepers: [], unread: [] };

export interface ReleaseOptions {
  /** Only in these namespaces; empty: everywhere. */
  readonly namespaces: readonly string[];
  /** Count, and change nothing. */
  readonly dryRun: boolean;
  /** Checked before each write: without the lease an operator may put back what is taken away. */
  readonly mayGoOn: () => boolean;
  readonly signal: AbortSignal;
  /** Is told now and then how far it is. */
  readonly onProgress: (so: Released) => void;
}

/** Another controller, or a person, may write in between: after so many times it is left to the next run. */
const tries = 5;
/** How many are done between two words about it. */
const wordEvery = 100;

/**
 * Takes our finalizer off all resources of a kind that are not another controller's, and changes nothing else: what they own goes on
 * running. Resources that are not there, and kinds that are not installed, are none. Doing it again does what was left.
 */
export async function releaseResources(
  client: Client,
  { type, finalizer, keeper }: OurFinalizer,
  options: ReleaseOptions,
): Promise<Released> {
  const { namespaces, dryRun, mayGoOn, signal, onProgress } = options;
  const resource = client.resource<AnyObject>(type);
  let so = none;
  const scopes = namespaces.length === 0 ? [{}] : namespaces.map((namespace) => ({ namespace }));
  for (const scope of scopes) {
    for (const object of await heldBy(finalizer, scope)) {
      if (!mayGoOn()) throw new LeaseGone();
      const other = keeper?.(object);
      if (other !== undefined) {
        so = { ...so, left: so.left + 1, keepers: [...new Set([...so.keepers, other])] };
        continue;
      }
      const done = dryRun ? object : await release(object);
      if (typeof done === 'string') so = { ...so, held: [...so.held, `${inWords(object)}: ${done}`] };
      if (!done || typeof done === 'string') continue;
      const gone = done.metadata.deletionTimestamp ? 1 : 0;
      so = { ...so, released: so.released + 1, gone: so.gone + gone };
      if (so.released % wordEvery === 0) onProgress(so);
    }
  }
  return so;

  async function heldBy(name: string, scope: { readonly namespace?: string }): Promise<readonly AnyObject[]> {
    const held: AnyObject[] = [];
    try {
      for await (const page of resource.pages({ ...scope, metadataOnly: true, signal })) {
        held.push(...page.items.filter(({ metadata }) => metadata.finalizers?.includes(name)));
      }
    } catch (error) {
      // A namespace that is gone has taken our Role with it.
      if (scope.namespace !== undefined && isKubeError(error, 'forbidden')) {
        so = { ...so, unread: [...so.unread, { namespace: scope.namespace, kind: type.kind, why: error.message }] };
      } else if (!isKubeError(error, 'not-found')) throw error;
    }
    return held;
  }

  /** `undefined`: somebody else did it, or it is gone. A text: why it cannot be done. */
  async function release(seen: AnyObject): Promise<AnyObject | string | undefined> {
    let object: AnyObject | undefined = seen;
    for (let attempt = 1; ; attempt++) {
      const index: number = object?.metadata.finalizers?.indexOf(finalizer) ?? -1;
      if (!object || index < 0) return undefined;
      const path = `/metadata/finalizers/${index}`;
      const body = [
        { op: 'test' as const, path: '/metadata/uid', value: object.metadata.uid ?? '' },
        { op: 'test' as const, path, value: finalizer },
        { op: 'remove' as const, path },
      ];
      try {
        const left = await resource.patch(nameOf(object), { type: 'json', body }, { signal });
        // A webhook that completes what is written may have put it back in the very same write.
        return left.metadata.finalizers?.includes(finalizer) ? `${finalizer} is put back by somebody` : object;
      } catch (error) {
        if (isKubeError(error, 'not-found')) return undefined;
        // Here, or to this one: a right that is lacking, or a webhook's word.
        if (isKubeError(error, 'forbidden')) return error.message;
        // The list has changed since it was read, or another resource has the name.
        if (!isKubeError(error, 'conflict', 'refused')) throw error;
        if (attempt === tries) return error.message;
        object = await resource.get(nameOf(object), { signal }).catch((missing: unknown) => {
          if (isKubeError(missing, 'not-found')) return undefined;
          throw missing;
        });
      }
    }
  }
}

function inWords({ metadata: { name, namespace } }: AnyObject): string {
  return namespace === undefined ? `${name}` : `${name} in ${namespace}`;
}

/** Another process has the lease: what is left is left to the next run. */
export class LeaseGone extends Error {
  override readonly name = 'LeaseGone';

  constructor() {
    super('the lease was lost on the way: an operator may act again; run this once more');
  }
}
