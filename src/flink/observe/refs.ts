import type { Instant } from '../../clock/clock.ts';
import type { Ref, VersionedRef } from '../../control/decision.ts';
import { refTo } from '../../control/decision.ts';
import type { KubeObject } from '../../kube/object.ts';

/** The object, in whatever version. */
export function plainRef(object: KubeObject): Ref {
  const { resourceVersion: _, ...ref }: VersionedRef = refTo(object);
  return ref;
}

export function ownersOf({ metadata }: KubeObject): readonly string[] {
  return (metadata.ownerReferences ?? []).map(({ uid }) => uid);
}

/** A time as Kubernetes writes it; `undefined` when there is none, or it is no time. */
export function instantOf(text: string | null | undefined): Instant | undefined {
  const instant = Date.parse(text ?? '');
  return Number.isNaN(instant) ? undefined : instant;
}
