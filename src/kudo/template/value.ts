import type { GoFunction } from './function.ts';

/**
 * A value as Go's templates know it. JavaScript has one number, Go has many, and which one it is decides how it prints,
 * what it equals and which functions take it: so integers are tagged, and a plain number is a float64.
 *
 * - `null` is nil; `string`, `boolean` are themselves (a string is UTF-16 here and counts as UTF-8 where Go counts bytes);
 * - `number` is a float64, which is what YAML and JSON give for every number in a parameter;
 * - `GoInt` is an integer with its Go type;
 * - an array is a slice, a `Map` a map with string keys (functions such as `set` change it in place, as in Go);
 * - `GoObject` is anything else that has a Go type of its own: a time, a version.
 */
export type GoValue = null | string | boolean | number | GoInt | GoSlice | GoMap | GoStringMap | GoObject;

export type GoMap = Map<string, GoValue>;

/** A `map[string]string`, such as `split` makes: its type shows, and a key that is absent reads as an empty string. */
export class GoStringMap extends Map<string, string> {}

export type GoIntType = 'int' | 'int32' | 'int64' | 'uint8' | 'uint32' | 'uint64';

/** An integer of one of Go's types. The value is within the type's range: whoever computes wraps around, as Go does. */
export class GoInt {
  readonly type: GoIntType;
  readonly value: bigint;

  constructor(type: GoIntType, value: bigint) {
    this.type = type;
    this.value = value;
  }
}

/**
 * A slice: a plain array is a `[]interface {}`; `GoList` is one whose elements all have one type, which shows in
 * `typeOf`, in `kindOf` of nothing, and in what functions accept.
 */
export type GoSlice = readonly GoValue[] | GoList;

export type GoListType = '[]string' | '[]int' | '[]uint8';

export class GoList {
  readonly type: GoListType;
  readonly items: readonly GoValue[];

  constructor(type: GoListType, items: readonly GoValue[]) {
    this.type = type;
    this.items = items;
  }
}

/** A method without parameters, or one that says what it takes. */
export type GoMethod = (() => GoValue) | GoFunction;

/** A value of a named Go type. Fields can be read in templates, methods cannot unless they are listed. */
export class GoObject {
  /** As Go prints it: `time.Time`, `*semver.Version`. */
  readonly type: string;
  /** As Go's `%v` prints it. */
  readonly text: string;
  readonly fields: ReadonlyMap<string, GoValue>;
  /** Exported methods that templates may call by name. */
  readonly methods: ReadonlyMap<string, GoMethod>;
  /** What the functions that made it keep in it. */
  readonly inner: unknown;

  constructor(made: {
    readonly type: string;
    readonly text: string;
    readonly fields?: ReadonlyMap<string, GoValue>;
    readonly methods?: ReadonlyMap<string, GoMethod>;
    readonly inner?: unknown;
  }) {
    this.type = made.type;
    this.text = made.text;
    this.fields = made.fields ?? new Map();
    this.methods = made.methods ?? new Map();
    this.inner = made.inner;
  }
}
