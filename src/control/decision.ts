import type { Instant } from '../clock/clock.ts';
import type { Json, JsonObject, KubeObject, OwnerReference } from '../kube/object.ts';
import type { Sealed } from './sealed.ts';

/** What to do about one object, and when to look again. */
export interface Decision {
  /** Done in this order; the first that fails ends the run, except events. */
  readonly actions: readonly Action[];
  /** Look again then, whether or not anything changed. Only for what cannot be watched. */
  readonly wakeAt?: Instant;
  /** One sentence for a human: it appears in status, events, command line and dashboard. */
  readonly because: string;
}

/** One effect on the world. Each is idempotent, and none reads another's result: results are observed. */
export type Action = StatusAction | ApplyAction | CreateAction | PatchAction | RemoveAction | EventAction | CallAction;

/** Writes the journal: the whole status, if the object is still this one in this version. At most one, always first. */
export interface StatusAction {
  readonly do: 'status';
  readonly of: VersionedRef;
  readonly status: JsonObject;
  /** The field manager. Default `cutover`. */
  readonly manager?: string;
}

/**
 * A version that no object has: a server-side apply that names it creates what is not there, and is a conflict with what is.
 * However late such a request arrives, it writes over nothing.
 */
export const noVersion = '1';

/** Server-side apply. Skipped when the live object carries our hash of `object` and still contains all of it. */
export interface ApplyAction {
  readonly do: 'apply';
  readonly object: KubeObject;
  /** The field manager. Default `cutover`. */
  readonly manager?: string;
  /** Refuse to apply over any other version; with `noVersion`, over anything. */
  readonly resourceVersion?: string;
  /** Leave out fields that the server's schema does not declare, instead of failing: for what others wrote. */
  readonly prune?: boolean;
}

/**
 * Creates an object that carries an id (`cutover.dev/id`, derived from a uid) and, unless it is to outlive whoever makes it,
 * an owner. If the name is taken, that is success only when the object there has the same id and owner uid, so a repeated
 * create is recognised and a stranger never taken.
 */
export interface CreateAction {
  readonly do: 'create';
  readonly object: KubeObject;
  /**
   * For an object that is to outlive whoever makes it: the owner that it is made with all the same, and that is taken off it once it
   * is seen. A request that arrives when that owner has gone makes nothing that stays: Kubernetes collects it.
   */
  readonly bornOf?: OwnerReference;
}

/** A JSON patch (RFC 6902) of metadata, such as finalizers, if the object is still this one in this version. */
export interface PatchAction {
  readonly do: 'patch';
  readonly of: VersionedRef;
  readonly patch: JsonPatch;
}

/** Removes exactly this object. Gone already is success; another object of the same name is a conflict. */
export interface RemoveAction {
  readonly do: 'delete' | 'evict';
  readonly of: Ref;
  /** Whether what it owns goes before it or after. Default: after it, in the background. */
  readonly propagation?: 'Foreground' | 'Background';
}

/** Says something about an object. Never fails a decision; said only when something was done before it in the same decision, or it stands alone. */
export interface EventAction {
  readonly do: 'event';
  readonly about: Ref;
  readonly reason: Reason;
  readonly note: string;
  /** Somebody should look at it. */
  readonly warning?: boolean;
}

/** A verb of a port that the family registered. Runs only while the stored status holds `id`. */
export interface CallAction {
  readonly do: 'call';
  readonly port: string;
  readonly verb: string;
  /** Derived from a uid and a counter in status, never from chance, and never used for anything else. */
  readonly id: string;
  readonly args: Sealable;
}

/** JSON in which some values may be sealed. Only `act` opens them. */
export type Sealable = Json | Sealed | readonly Sealable[] | { readonly [key: string]: Sealable };

/** Names one object, not whatever has its name. */
export interface Ref {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
  /** With it, the action is refused on any other version of the object. */
  readonly resourceVersion?: string;
}

export interface VersionedRef extends Ref {
  readonly resourceVersion: string;
}

/** CamelCase, enumerated by each family: the same word in events, conditions, command line and docs. */
export type Reason = Capitalize<string>;

export type JsonPatch = readonly JsonPatchOperation[];

export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

/** The object that a ref names. Throws for one that never was on a server: it has no identity. */
export function refTo(object: KubeObject): VersionedRef {
  const { namespace, name, uid, resourceVersion } = object.metadata;
  if (!name || !uid || !resourceVersion) {
    throw new Error(`a ${object.kind} without name, uid and resourceVersion cannot be referred to`);
  }
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    ...(namespace && { namespace }),
    name,
    uid,
    resourceVersion,
  };
}

/** Nothing to do; look again at `wakeAt`, if given. */
export function idle(because: string, wakeAt?: Instant): Decision {
  return { actions: [], because, ...(wakeAt !== undefined && { wakeAt }) };
}

/** What the loop relies on beyond the types. A violation is a bug in the family's `decide`; the text says which. */
export function flaw(decision: Decision): string | undefined {
  const later = decision.actions.findIndex((action, index) => action.do === 'status' && index > 0);
  if (later > 0) return `action ${later} writes status, but the journal must be written first and once`;
  if (decision.wakeAt !== undefined && !Number.isFinite(decision.wakeAt)) return 'wakeAt is not an instant';
  if (decision.because === '') return 'the decision does not say why';
  return undefined;
}
