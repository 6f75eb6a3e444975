import { equal } from '../schema/equal.ts';
import { type Fields, getField, isFields } from '../schema/json.ts';
import { type Builder, emptySet, type FieldSet, fieldStep, put } from './field-set.ts';
import { itemStep, type ListType, type MapType, type MergeType, partFor } from './merge-type.ts';

/** What became of the fields of an object. No field is in two of the sets. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

interface Difference extends Comparison {
  /** What happened to the value itself; a container in which something happened has not itself changed. */
  readonly own: 'added' | 'modified' | 'removed' | undefined;
}

/** Compares two states of an object, field by field. `undefined` is an object that does not exist. */
export function compare(type: MergeType, before: unknown, after: unknown): Comparison {
  return differ(type, before, after);
}

const same: Difference = { own: undefined, added: emptySet, modified: emptySet, removed: emptySet };

const whole = (own: Difference['own']): Difference => ({ ...same, own });
const wholeAdded = whole('added');
const wholeRemoved = whole('removed');
const wholeModified = whole('modified');

function differ(type: MergeType, before: unknown, after: unknown): Difference {
  if (before === after) return same;
  if (before === undefined) return { ...wholeAdded, added: allOf(type, after) };
  if (after === undefined) return { ...wholeRemoved, removed: allOf(type, before) };
  const [was, is] = [partFor(type, before), partFor(type, after)];
  if (was === is) return part(type, is, before, after);
  // A field that changed from one kind of value to another is gone and new at once; as a leaf it is modified.
  return wholeModified;
}

function part(type: MergeType, kind: 'scalar' | 'list' | 'map', before: unknown, after: unknown): Difference {
  if (kind === 'list') {
    const list = type.list as ListType;
    const [left, right] = [itemsOf(before), itemsOf(after)];
    if (!list.atomic && (left.length > 0 || right.length > 0)) return compareLists(list, left, right);
  } else if (kind === 'map') {
    const map = type.map as MapType;
    const [left, right] = [isFields(before) ? before : none, isFields(after) ? after : none];
    if (!map.atomic && (!hollow(left) || !hollow(right))) return compareMaps(map, left, right);
  }
  return equal(before, after) ? same : wholeModified;
}

/** A value that came or went as a whole: itself, and every container and every leaf in it. */
function allOf(type: MergeType, value: unknown): FieldSet {
  if (Array.isArray(value)) return type.list ? allItems(type.list, value) : emptySet;
  if (!isFields(value) || !type.map || type.map.atomic || hollow(value)) return emptySet;
  const { map } = type;
  const out: Builder = { '.': emptySet };
  for (const key of Object.keys(value)) {
    const child = map.field(key)?.type ?? map.others;
    if (child && value[key] !== undefined) out[fieldStep(key)] = allOf(child, value[key]);
  }
  return out;
}

function allItems(list: ListType, items: readonly unknown[]): FieldSet {
  if (list.atomic || items.length === 0) return emptySet;
  const out: Builder = { '.': emptySet };
  for (const item of items) {
    const found = itemStep(list, item);
    if ('problem' in found) continue;
    // Of an item that stands there twice only its presence can be owned.
    out[found.step] = out[found.step] ? emptySet : allOf(list.items, item);
  }
  return out;
}

const none: Fields = {};

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function hollow(fields: Fields): boolean {
  for (const _ in fields) return false;
  return true;
}

/** Gathers the differences of a container's parts. */
class Collector {
  readonly own = undefined;
  readonly added: Builder = {};
  readonly modified: Builder = {};
  readonly removed: Builder = {};

  take(step: string, difference: Difference): void {
    if (difference === same) return;
    const { own } = difference;
    put(this.added, step, own === 'added', difference.added);
    put(this.modified, step, own === 'modified', difference.modified);
    put(this.removed, step, own === 'removed', difference.removed);
  }
}

function compareMaps(map: MapType, left: Fields, right: Fields): Difference {
  const found = new Collector();
  for (const key of Object.keys(right)) take(key, right[key]);
  if (left !== none) for (const key of Object.keys(left)) if (!Object.hasOwn(right, key)) take(key, undefined);
  return found;

  function take(key: string, value: unknown): void {
    const field = map.field(key);
    const type = field?.type ?? map.others;
    if (!type) return;
    let was = getField(left, key);
    let is = value;
    if (field?.zero !== undefined) {
      was ??= field.zero;
      is ??= field.zero;
    }
    if (was === is) return;
    found.take(fieldStep(key), differ(type, was, is));
  }
}

function compareLists(list: ListType, left: readonly unknown[], right: readonly unknown[]): Difference {
  const found = new Collector();
  const [was, is] = [byStep(list, left), byStep(list, right)];
  for (const step of new Set([...was.keys(), ...is.keys()])) {
    const [lefts, rights] = [was.get(step) ?? [], is.get(step) ?? []];
    if (lefts.length <= 1 && rights.length <= 1) {
      found.take(step, differ(list.items, lefts[0], rights[0]));
    } else if (lefts.length >= 2 && rights.length >= 2) {
      if (!equal(lefts, rights)) found.take(step, wholeModified);
    } else if (lefts.length >= 2) {
      if (rights.length > 0) found.take(step, differ(list.items, undefined, rights[0]));
      found.take(step, wholeRemoved);
    } else {
      if (lefts.length > 0) found.take(step, differ(list.items, lefts[0], undefined));
      found.take(step, wholeAdded);
    }
  }
  return found;
}

/** Items by step; several under one step are duplicates, which a live object may have. */
function byStep(list: ListType, items: readonly unknown[]): Map<string, unknown[]> {
  const out = new Map<string, unknown[]>();
  for (const item of items) {
    const found = itemStep(list, item);
    if ('problem' in found) continue;
    const there = out.get(found.step);
    if (there) there.push(item);
    else out.set(found.step, [item]);
  }
  return out;
}
