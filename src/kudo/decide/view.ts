import type { View } from '../../control/controller.ts';
import type { VersionedRef } from '../../control/decision.ts';
import type { Sealed } from '../../control/sealed.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { Instance } from '../resources/instance.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import type { Change } from './change.ts';
import type { Hindrances } from './held-up.ts';
import type { StepWork } from './task/work.ts';

/** All that is known of one Instance. */
export interface InstanceView extends View {
  readonly instance: Instance;
  readonly versions: {
    /** What `spec.operatorVersion` names; absent: it is not there, or cannot be read. */
    readonly wanted?: OperatorVersion;
    /** What `status.accepted.operatorVersion` names; absent: there is none, it is no longer there, or cannot be read. */
    readonly accepted?: OperatorVersion;
    /** What the server says of those that it does not let us read. Absent: it lets us. */
    readonly unreadable?: { readonly wanted?: string; readonly accepted?: string };
  };
  /**
   * What the edit leads to that was found. If a plan begins by it, `work` and `world` are of that one already. Absent: it is
   * to be found out, and nothing was looked at ahead.
   */
  readonly change?: Change;
  /** The steps of the running plan that are to be worked on now, with what their templates yield. */
  readonly work: readonly StepWork[];
  /** What those steps look at, by `thingId`. */
  readonly world: World;
  /** What plans have applied, as far as it is watched, and what has the labels of this Instance. */
  readonly belongings: Belongings;
  /** What may keep the workloads from coming up that the running plan waits for. Absent: it has not taken too long. */
  readonly hindrances?: Hindrances;
  /** The key of random template functions: where it is kept, or what to keep there. Absent: no template needs it. */
  readonly randomKey?: RandomKey;
}

export type World = Readonly<Record<string, Thing>>;

/** One object that a task is about. */
export type Thing =
  | {
      readonly is: 'known';
      readonly namespaced: boolean;
      /** Its changes wake the Instance; otherwise it has to be looked at now and then. */
      readonly watched: boolean;
      /** Another Instance, as `namespace/name`, that applied this object of the cluster, and is still there. */
      readonly holder?: string;
      /** Absent: it does not exist. */
      readonly object?: AnyObject;
    }
  /** The server does not serve this kind. */
  | { readonly is: 'unknown-kind' }
  /** It could not be read: no permission, most often. */
  | { readonly is: 'unreadable'; readonly message: string };

export interface Belongings {
  /** `status.objects` of watched kinds, by `thingId`; `null`: it is gone. */
  readonly applied: Readonly<Record<string, AnyObject | null>>;
  /** Those of them that seem to have drifted, and could not be read to make sure. */
  readonly unconfirmed?: readonly string[];
  /** Workloads and pods by the labels of the Instance: what `Ready` speaks of. */
  readonly workloads: readonly AnyObject[];
  /** Kinds of workloads that we may not watch: there may be more than those. */
  readonly unreadable?: readonly string[];
}

export type RandomKey =
  | { readonly is: 'kept'; readonly value: Sealed }
  /** There is none yet: this value may become it. */
  | { readonly is: 'fresh'; readonly value: Sealed }
  /** It was left behind by a former Instance of this name, and belongs to nobody: this one is to own it, and then use it. */
  | { readonly is: 'orphaned'; readonly secret: VersionedRef }
  /** In its place is that of another, most often of a former Instance of this name: it has to be gone first. */
  | { readonly is: 'foreign'; readonly message: string }
  | { readonly is: 'unreadable'; readonly message: string };

/** Names an object within the namespace of an Instance, or within the cluster. */
export interface ThingRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

export function thingId({ apiVersion, kind, name }: ThingRef): string {
  return `${apiVersion} ${kind} ${name}`;
}

/** The reference to an object; `undefined` for one without a name. */
export function refOf(object: {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name?: string };
}): ThingRef {
  return { apiVersion: object.apiVersion, kind: object.kind, name: object.metadata.name ?? '' };
}
