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
  if (before === undefined) return part(type, partFor(type, after), before, after);
  if (after === undefined) return part(type, partFor(type, before), before, after);
  const [was, is] = [partFor(type, before), partFor(type, after)];
  if (was === is) return part(type, is, before, after);
  // A field that changed from one kind of value to another is gone and new at once; as a leaf it is modified.
  return wholeModified;
}

function part(type: MergeType, kind: 'scalar' | 'list' | 'map', before: unknown, after: unknown): Difference {
  if (kind === 'list') {
    const list = type.list as ListType;
    const [left, right] = [itemsOf(before), itemsOf(after)];
    if (!list.atomic && (left.length > 0 || right.length > 0)) return compareLists(list, before, left, after, right);
  } else if (kind === 'map') {
    const map = type.map as MapType;
    const [left, right] = [isFields(before) ? before : none, isFields(after) ? after : none];
    if (!map.atomic && (!hollow(left) || !hollow(right))) return compareMaps(map, before, left, after, right);
  }
  if (before === undefined) return wholeAdded;
  if (after === undefined) return wholeRemoved;
  return equal(before, after) ? same : wholeModified;
}

const none: Fields = {};

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function hollow(fields: Fields): boolean {
  for (const _ in fields) return false;
  return true;
}

class Collector {
  readonly added: Builder = {};
  readonly modified: Builder = {};
  readonly removed: Builder = {};

  take(step: string, difference: Difference): void {
    const { own } = difference;
    put(this.added, step, own === 'added', difference.added);
    put(this.modified, step, own === 'modified', difference.modified);
    put(this.removed, step, own === 'removed', difference.removed);
  }

  finish(before: unknown, after: unknown): Difference {
    const own = before === undefined ? 'added' : after === undefined ? 'removed' : undefined;
    return { own, added: this.added, modified: this.modified, removed: this.removed };
  }
}

function compareMaps(map: MapType, before: unknown, left: Fields, after: unknown, right: Fields): Difference {
  const found = new Collector();
  for (const key of Object.keys(right)) take(key, right[key]);
  if (left !== none) for (const key of Object.keys(left)) if (!Object.hasOwn(right, key)) take(key, undefined);
  return found.finish(before, after);

  function take(key: string, value: unknown): void {
    const field = map.field(key);
    const type = field?.type ?? map.others;
    if (!type) return;
    let was = getField(left, key);
    let is = value;
    if (field?.zero !== undefined) {
      if (was === undefined && before !== undefined) was = field.zero;
      if (is === undefined && after !== undefined) is = field.zero;
    }
    if (was === is) return;
    found.take(fieldStep(key), differ(type, was, is));
  }
}

function compareLists(
  list: ListType,
  before: unknown,
  left: readonly unknown[],
  after: unknown,
  right: readonly unknown[],
): Difference {
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
  return found.finish(before, after);
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
