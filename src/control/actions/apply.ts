import { isKubeError } from '../../kube/error.ts';
import type { AnyObject, KubeObject } from '../../kube/object.ts';
import { nameOf } from '../../kube/resource.ts';
import { annotations } from '../annotations.ts';
import { contains } from '../contains.ts';
import { type ApplyAction, noVersion, refTo } from '../decision.ts';
import { digest } from '../digest.ts';
import { unseal } from '../sealed.ts';
import { type Did, describe, type Hands, Refusal, Stale } from './hands.ts';
import type { Journal } from './journal.ts';
import { stored } from './stored.ts';
import { withoutUndeclared } from './undeclared.ts';

/**
 * Server-side apply in our name, taking over the fields it mentions.
 *
 * Skipped when the live object carries the hash of exactly this object (so no field of ours is left over from an older
 * one) and still contains all of it (so nobody changed a field of ours). An object that has an owner in `object` but
 * lives under another is refused: names are not identities.
 */
export async function apply(action: ApplyAction, journal: Journal, hands: Hands, signal: AbortSignal): Promise<Did> {
  const type = hands.kinds(action.object.apiVersion, action.object.kind);
  const wanted = stamped(action.object);
  const owned = Boolean(wanted.metadata.ownerReferences?.length);
  // Whoever decided that it is not there was told so by the server; a cache may still show what is gone.
  const seen = action.resourceVersion === noVersion ? undefined : hands.mirror.peek(type, nameOf(wanted));
  // What the caches do not show may be there all the same, and a stranger's: apply would take it without a word.
  const live = seen ?? (owned ? await stored(type, nameOf(wanted), hands, signal) : undefined);
  if (live) {
    if (!mayOwn(live, wanted)) throw new Refusal(`${describe(live)} exists and belongs to somebody else`);
    if (action.resourceVersion !== undefined && live.metadata.resourceVersion !== action.resourceVersion) {
      throw new Stale(`${describe(live)} changed since it was observed`);
    }
    if (isApplied(live, wanted)) return 'skipped';
  }
  await journal.prove(hands, signal);
  // What is made new must not be written over what came meanwhile, however late the request arrives.
  const resourceVersion = action.resourceVersion ?? (owned && !live ? noVersion : undefined);
  const body = resourceVersion ? { ...wanted, metadata: { ...wanted.metadata, resourceVersion } } : wanted;
  const options = { manager: action.manager ?? hands.manager, force: true, signal };
  const resource = hands.client.resource(type);
  let left: readonly string[] = [];
  const written = await resource.apply(body, options).catch((error: unknown) => {
    const known = action.prune && isKubeError(error) ? withoutUndeclared(body, error.message) : undefined;
    if (!known) throw error;
    left = known.fields;
    return resource.apply(known.object, options);
  });
  hands.mirror.wrote(type, written);
  if (left.length > 0) {
    const note = `${describe(written)}: the server does not know ${left.join(', ')}, which was left out`;
    hands.events.record({ do: 'event', about: refTo(written), reason: 'FieldsLeftOut', note, warning: true });
  }
  return 'acted';
}

/**
 * The object as it is sent, with its hash in an annotation. Sealed values do not enter the hash: their change is seen by
 * comparing, and an annotation must not help anybody to guess a secret.
 */
export function stamped(object: KubeObject): AnyObject {
  const hash = digest(unseal(object, () => 'sealed'));
  const opened = unseal(object) as AnyObject;
  return {
    ...opened,
    metadata: { ...opened.metadata, annotations: { ...opened.metadata.annotations, [annotations.applied]: hash } },
  };
}

/** Whether applying `wanted`, stamped, would change nothing. */
export function isApplied(live: KubeObject, wanted: KubeObject): boolean {
  return mayOwn(live, wanted) && contains(live, wanted);
}

/** An object without owners in `wanted` may be anybody's: its name is agreed on otherwise. */
function mayOwn(live: KubeObject, wanted: KubeObject): boolean {
  const owners = wanted.metadata.ownerReferences ?? [];
  const present = new Set(live.metadata.ownerReferences?.map((owner) => owner.uid));
  return owners.length === 0 || owners.some((owner) => present.has(owner.uid));
}
