import type { Demand } from './demand.ts';

/** A demand that depends on a value of the diff's context, such as the deployment mode. */
export interface ConditionalDemand {
  /** The name of the context value that decides: `mode`. */
  readonly by: string;
  /** The demand per value: `{ standalone: 'scale' }`. */
  readonly cases: Readonly<Record<string, Demand>>;
  /** For every other value, and when the context does not say. */
  readonly otherwise: Demand;
}

/** The diff class of a field. */
export type ChangeClass = Demand | ConditionalDemand;

/** How the keys of a free-form map are classified. */
export interface KeyRules {
  /** The first prefix that a key starts with decides: write the narrower prefix first. */
  readonly prefixes: readonly (readonly [prefix: string, demands: ChangeClass])[];
  /** For keys that no prefix matches; the map's own class when left out. */
  readonly otherwise?: ChangeClass;
  /**
   * The map is a configuration file: nested maps are dotted keys (`a: { b: 1 }` is `a.b: 1`), lists are their elements
   * joined by `;`, and values are compared as text (`1` is `"1"`). A key written with dots wins over the same key
   * written nested.
   */
  readonly flatten?: true;
  /** Values of keys that contain one of these words, in any case, never appear in a diff: `['password', 'secret']`. */
  readonly secrets?: readonly string[];
}

/** The diff class of a field together with what counts as a change at all. Every part is optional. */
export interface ChangeRules {
  /** What a change demands; by default what the enclosing object demands. */
  readonly demands?: ChangeClass;
  /**
   * When the field is absent on this side, nothing changed. A nonce is ignored when absent `after`: removing it must not
   * fire, adding it must.
   */
  readonly ignoreAbsent?: 'before' | 'after' | 'either';
  /** What a reader of the spec takes an absent field to be, where the CRD cannot carry a default. */
  readonly absentMeans?: unknown;
  /** Whether two different spellings mean the same, as `1000m` and `1` do. Asked only when both sides are present. */
  readonly equal?: (before: unknown, after: unknown) => boolean;
  /** Reported as one change with its whole value, not field by field. */
  readonly whole?: true;
  /** Keys of an object that the schema does not name are no part of its meaning. */
  readonly unknownKeys?: 'ignore';
  /** For free-form maps: the class depends on the key. An absent map is an empty one. */
  readonly keys?: KeyRules;
}

/** The `change` metadata of a field: `z.int().meta({ change: 'scale' })`. */
export type ChangeRule = ChangeClass | ChangeRules;
