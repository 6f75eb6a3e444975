import type { Clock } from '../clock/clock.ts';
import type { Random } from '../clock/random.ts';
import type { AnyObject } from '../kube/object.ts';
import type { ResourceType } from '../kube/resource-type.ts';
import type { Schema } from './schema/schema.ts';
import type { FieldError } from './status-error.ts';

/** An object on its way into the store: the one place where objects are changed in place. */
export type Draft = {
  apiVersion: string;
  kind: string;
  // biome-ignore lint/suspicious/noExplicitAny: a draft is untyped JSON that strategies of each kind shape
  metadata: { [field: string]: any };
  // biome-ignore lint/suspicious/noExplicitAny: as above
  [field: string]: any;
};

/** One column of `kubectl get`. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  readonly description?: string;
  /** 0 is always shown, 1 only with `-o wide`. */
  readonly priority: number;
}

/** How a kind is shown as a table: its columns, and one cell per column for an object. */
export interface Printer {
  readonly columns: readonly Column[];
  cells(object: AnyObject, now: number): readonly (string | number | boolean | null)[];
}

/** Where a custom resource keeps what `scale` shows. JSON paths as in a CRD: `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** A resource in one version, as the server serves it. */
export interface ServedResource extends ResourceType {
  readonly singular: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Verbs of the main resource, in discovery's spelling and order. */
  readonly verbs: readonly string[];
  /** Defined by a CustomResourceDefinition rather than built in. */
  readonly custom: boolean;
  /** The schema of the whole object; absent only where anything goes. */
  readonly schema: Schema | undefined;
  readonly status: boolean;
  readonly scale: ScalePaths | 'built-in' | undefined;
  readonly strategy: Strategy;
  readonly printer: Printer | undefined;
}

/** What a strategy may know of the rest of the world. */
export interface StrategyContext {
  readonly clock: Clock;
  readonly random: Random;
  /** Objects as they are now, frozen; `undefined` when there is none. */
  read(group: string, plural: string, namespace: string | undefined, name: string): AnyObject | undefined;
  /** All objects of a resource, frozen, in one namespace or all. */
  all(group: string, plural: string, namespace?: string): readonly AnyObject[];
}

/**
 * What a kind adds to the generic verbs. All parts are optional; without them a kind behaves like a ConfigMap with a
 * `spec`. Order of a write: decode, prune, `defaults`, `prepareForCreate`/`prepareForUpdate`, schema validation,
 * `validate`, managed fields, admission (mutating admission comes before, and defaults run again after it), store.
 */
export interface Strategy {
  /** Fills in what the user left out. Runs on every write; must be idempotent. */
  defaults?(draft: Draft): void;
  /** Resets what a user may not set (status), fills what the server allots (addresses). */
  prepareForCreate?(draft: Draft, context: StrategyContext): void;
  /** The same for an update through the main resource. */
  prepareForUpdate?(draft: Draft, before: AnyObject, context: StrategyContext): void;
  /** What the schema cannot say: names, ranges, immutability. `before` is absent on create. */
  validate?(object: AnyObject, before: AnyObject | undefined, context: StrategyContext): readonly FieldError[];
  /**
   * What no two objects may have, and another has already: addresses, ports. Looked at once more in the moment of the
   * write, because others may have been written while admission was thinking.
   */
  exclusive?(object: AnyObject, context: StrategyContext): readonly FieldError[];
  /** What `validate` is, for a write through the status subresource. */
  validateStatus?(object: AnyObject, before: AnyObject): readonly FieldError[];
  /** Whether `metadata.generation` counts changes of everything but metadata and status. Kinds like ConfigMap have none. */
  readonly generation?: boolean;
  /** Values for field selectors beyond metadata.name and metadata.namespace: `{ 'status.phase': 'Running' }`. */
  fields?(object: AnyObject): Readonly<Record<string, string>>;
  /** Seconds between the delete request and removal; 0 removes at once. Only pods are graceful. */
  graceSeconds?(object: AnyObject, requested: number | undefined): number;
  /** Finalizers the server itself adds on delete (namespaces) or on create. */
  readonly finalizers?: readonly string[];
  /** Texts for the `Warning` header. */
  warnings?(object: AnyObject): readonly string[];
}
