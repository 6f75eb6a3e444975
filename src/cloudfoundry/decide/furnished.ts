import { equal } from '../../change/equal.ts';
import { type PatchAction, refTo } from '../../control/decision.ts';
import type { KubeObject } from '../../kube/object.ts';
import { labelValueProblem } from '../../kube/selector/requirement.ts';

/** What an object must carry besides what users write. */
export interface Furnishing {
  readonly labels?: Readonly<Record<string, string | undefined>>;
  readonly annotations?: Readonly<Record<string, string | undefined>>;
  readonly finalizer?: string;
  /** The object that it belongs to, and is deleted with. */
  readonly owner?: { readonly object: KubeObject; readonly blocks?: boolean };
}

/**
 * The patch that gives an object what it lacks; `undefined` when it lacks nothing. Objects that the API makes have all of
 * it from the start; this is for those that people apply themselves, with webhooks absent.
 *
 * An object that is being deleted gets no finalizer: it would be refused. Annotations are given only where there are none,
 * labels also where they say something else. What no label can hold is left out of them: the server would refuse the whole
 * patch, and whoever wrote it would never be told what is wrong.
 */
export function furnished(object: KubeObject, wanted: Furnishing): PatchAction | undefined {
  const { metadata } = object;
  const before = {
    labels: metadata.labels ?? {},
    annotations: metadata.annotations ?? {},
    finalizers: metadata.finalizers ?? [],
    ownerReferences: metadata.ownerReferences ?? [],
  };
  const patch: { op: 'add'; path: string; value: never }[] = [];
  const put = (field: keyof typeof before, value: unknown): void => {
    // Whatever the order of keys: the server has its own.
    if (!equal(value, before[field])) {
      patch.push({ op: 'add', path: `/metadata/${field}`, value: value as never });
    }
  };
  put('labels', labelled(before.labels, wanted.labels ?? {}));
  put('annotations', { ...defined(wanted.annotations), ...before.annotations });
  const { finalizer, owner } = wanted;
  if (finalizer !== undefined && !metadata.deletionTimestamp && !before.finalizers.includes(finalizer)) {
    put('finalizers', [...before.finalizers, finalizer]);
  }
  if (owner && !before.ownerReferences.some(({ uid }) => uid === owner.object.metadata.uid)) {
    const { apiVersion, kind } = owner.object;
    const { name, uid } = owner.object.metadata;
    const reference = { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: owner.blocks ?? true };
    put('ownerReferences', [...before.ownerReferences, reference]);
  }
  return patch.length === 0 ? undefined : { do: 'patch', of: refTo(object), patch };
}

/** A label that should say nothing, or what no label can hold, goes: what it said before is not so any more. */
function labelled(before: Readonly<Record<string, string>>, wanted: NonNullable<Furnishing['labels']>): object {
  const all = Object.entries({ ...before, ...wanted });
  const isWrong = ([key, value]: readonly [string, string | undefined]): boolean =>
    Object.hasOwn(wanted, key) && (value === undefined || labelValueProblem(value) !== undefined);
  return Object.fromEntries(all.filter((entry) => !isWrong(entry)));
}

function defined(values: Furnishing['labels'] = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
