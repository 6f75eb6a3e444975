import type { Instant } from '../clock/clock.ts';
import type { KubeObject } from '../kube/object.ts';
import type { ResourceType } from '../kube/resource-type.ts';
import type { Cached } from './caches.ts';
import type { Decision } from './decision.ts';
import type { KindFinder } from './kinds.ts';
import type { Outcomes } from './outcome.ts';
import type { Outside } from './outside.ts';
import type { Ports } from './port.ts';
import type { FieldTree } from './schema-fit.ts';
import type { Trigger } from './trigger.ts';

/** What every view has. The rest is the family's: plain JSON, so that it can be logged, hashed, replayed and generated. */
export interface View {
  /** The time, for `decide` has no clock. */
  readonly now: Instant;
  readonly outcomes: Outcomes;
}

/** What `observe` is given besides the key. */
export interface Glance<T extends KubeObject> {
  /** The object that the key names, as the cache has it. */
  readonly object: T;
  readonly now: Instant;
  readonly outcomes: Outcomes;
  /** Ends the reconcile: its deadline, or shutdown. */
  readonly signal: AbortSignal;
}

/** Other controllers that may manage the same kind. */
export interface Foreign {
  /** Their leader leases: while one of them is renewed, they are alive. */
  readonly leases?: readonly { readonly namespace: string; readonly name: string }[];
  /** The field managers they write statuses as: who wrote it last is in charge, until somebody takes over explicitly. */
  readonly managers?: readonly string[];
  /**
   * While one of them keeps other objects of the kind, a new object is left to it for this long: one that is alive and has no
   * lease writes its first status by then. Default: for no time.
   */
  readonly firstWordMs?: number;
  /** Other kinds that they keep, and as whom: one that keeps objects of those is taken for one that would take new ones of this kind. */
  readonly alsoKeep?: readonly { readonly cached: Cached; readonly managers: readonly string[] }[];
  /** Nothing will ever be done about this object: who wrote it says nothing about who is there. */
  readonly isOver?: (object: KubeObject) => boolean;
}

/**
 * What a family says about one of its kinds. The loop does the rest.
 *
 * `observe` reads and does nothing else. `decide` is pure and total: no clock, no I/O, no chance, no exceptions; the same
 * view gives the same decision for ever. If either throws, that is a bug of the family: it is reported with the key and
 * tried again later, and nothing is done meanwhile.
 */
export interface Controller<T extends KubeObject = KubeObject, V extends View = View> {
  /** For logs and metrics: `lamp`. */
  readonly name: string;
  /** The kind that users write. */
  readonly primary: Cached<T>;
  /** Other kinds whose changes bring keys back. */
  readonly triggers?: readonly Trigger[];
  /** What brings keys back although Kubernetes does not show it. */
  readonly outside?: readonly Outside[];
  /** Caches that `observe` reads without being woken by them. */
  readonly reads?: readonly Cached[];
  /** Custom kinds that decisions act on. Those watched above are known anyway. */
  readonly kinds?: readonly ResourceType[];
  /** Kinds that decisions act on and that only the running cluster knows: `observe` finds out about them first. */
  readonly foundKinds?: KindFinder;
  readonly ports?: Ports;
  observe(key: string, glance: Glance<T>): V | Promise<V>;
  decide(view: V): Decision;

  /**
   * What of a key decides which shard it belongs to, when replicas share the work: all of it, or only its namespace, so that
   * objects which refer to each other all the time are acted on by one process. Default `key`.
   */
  readonly shardBy?: 'key' | 'namespace';
  /** How many keys are worked on at once. Default 4. */
  readonly workers?: number;
  /** How long one reconcile may take. Default 60 s. */
  readonly deadlineMs?: number;
  /** Others who may manage this kind. */
  readonly foreign?: Foreign;
  /** The schema we write by: if the installed definition would drop one of its fields, we do not act. */
  readonly schema?: FieldTree;
}
