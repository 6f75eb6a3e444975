import { FunctionFailure } from '../function.ts';
import { type Held, hold, open, typeOfHeld } from '../held.ts';
import { typeOf } from '../type.ts';
import { GoInt, GoList, GoStringMap, type GoValue } from '../value.ts';
import type { Builtin } from './builtin.ts';
import { byteLength, bytesOf, textOf } from './sprig/go-bytes.ts';

/** What Go's reflection says when it is asked for the type of nothing. */
const ZERO_VALUE = 'reflect: call of reflect.Value.Type on zero Value';

/** `len`, `index` and `slice`. Strings count in bytes. */
export const ELEMENTS: ReadonlyMap<string, Builtin> = new Map([
  ['len', { least: 1, isVariadic: false, call: ([item]) => length(item) }],
  ['index', { least: 1, isVariadic: true, call: ([item, ...indexes]) => index(item, indexes) }],
  ['slice', { least: 1, isVariadic: true, call: ([item, ...indexes]) => slice(item, indexes) }],
]);

function length(held: Held): GoInt {
  if (held === undefined) throw new FunctionFailure(ZERO_VALUE);
  const item = open(held);
  if (item === undefined) throw new FunctionFailure('len of nil pointer');
  const size = sizeOf(item);
  if (size === undefined) throw new FunctionFailure(`len of type ${pointedTo(item)}`);
  return new GoInt('int', BigInt(size));
}

/** Go follows pointers before it looks. */
function pointedTo(item: NonNullable<GoValue>): string {
  return typeOf(item).replace(/^\*/, '');
}

function sizeOf(item: NonNullable<GoValue>): number | undefined {
  if (typeof item === 'string') return byteLength(item);
  if (item instanceof Map) return item.size;
  return listOf(item)?.length;
}

function listOf(item: NonNullable<GoValue>): readonly GoValue[] | undefined {
  if (item instanceof GoList) return item.items;
  return Array.isArray(item) ? item : undefined;
}

function index(held: Held, indexes: readonly Held[]): Held {
  if (open(held) === undefined) throw new FunctionFailure('index of untyped nil');
  return indexes.reduce(element, held);
}

function element(held: Held, at: Held): Held {
  const item = open(held);
  if (item === undefined) throw new FunctionFailure('index of nil pointer');
  if (item instanceof Map) {
    const value: GoValue | undefined = item.get(mapKey(at));
    return value === undefined && item instanceof GoStringMap ? '' : hold(value ?? null);
  }
  const list = typeof item === 'string' ? bytesOf(item) : listOf(item);
  if (list === undefined) throw new FunctionFailure(`can't index item of type ${pointedTo(item)}`);
  const place = position(at, list.length);
  const found = list[place];
  if (found === undefined) {
    throw new FunctionFailure(`reflect: ${typeof item === 'string' ? 'string' : 'slice'} index out of range`);
  }
  return list instanceof Uint8Array ? new GoInt('uint8', BigInt(list[place] as number)) : hold(found as GoValue);
}

function mapKey(at: Held): string {
  const key = open(at);
  if (typeof key === 'string') return key;
  if (key === undefined) throw new FunctionFailure('value is nil; should be of type string');
  throw new FunctionFailure(`value has type ${typeOf(key)}; should be string`);
}

/** One past the end is let through here, as Go does. */
function position(at: Held, end: number): number {
  const value = open(at);
  if (value === undefined) throw new FunctionFailure('cannot index slice/array with nil');
  if (!(value instanceof GoInt)) throw new FunctionFailure(`cannot index slice/array with type ${typeOf(value)}`);
  const signed = BigInt.asIntN(64, value.value);
  if (signed < 0n || signed > end) throw new FunctionFailure(`index out of range: ${signed}`);
  return Number(signed);
}

function slice(held: Held, indexes: readonly Held[]): Held {
  const item = open(held);
  if (item === undefined) throw new FunctionFailure('slice of untyped nil');
  if (indexes.length > 3) throw new FunctionFailure(`too many slice indexes: ${indexes.length}`);
  if (typeof item === 'string' && indexes.length === 3) throw new FunctionFailure('cannot 3-index slice a string');
  const list = typeof item === 'string' ? bytesOf(item) : listOf(item);
  if (list === undefined) throw new FunctionFailure(`can't slice item of type ${pointedTo(item)}`);
  const [from = 0, to = list.length, most = list.length] = indexes.map((at) => slicePosition(at, list.length));
  if (from > to) throw new FunctionFailure(`invalid slice index: ${from} > ${to}`);
  if (to > most) throw new FunctionFailure(`invalid slice index: ${to} > ${most}`);
  if (list instanceof Uint8Array) return textOf(list.subarray(from, to));
  const part = (list as readonly GoValue[]).slice(from, to);
  return item instanceof GoList ? new GoList(item.type, part) : part;
}

/** Unlike `index`, it does not look into the box. */
function slicePosition(at: Held, end: number): number {
  const value = open(at);
  if (at !== value && at !== undefined) {
    throw new FunctionFailure(`cannot index slice/array with type ${typeOfHeld(at)}`);
  }
  return position(at, end);
}
