import { FunctionFailure, type GoFunction, type Room } from '../../function.ts';
import { GoList, type GoValue } from '../../value.ts';
import { toInt64 } from './coerce.ts';
import { deepEqual } from './deep-equal.ts';
import { define, defineVariadic } from './define.ts';
import { isEmpty } from './empty.ts';
import { chargeItems, itemsOrFail, NIL_SLICE } from './slices.ts';

/** A comparison takes as long as it takes to make so many characters. */
const COMPARISON = 4;

const list = defineVariadic([], 'interface {}', (_, values) => values);
const append = define(['interface {}', 'interface {}'], ([value, item], room) => {
  const items = itemsOrFail(value, (kind) => `Cannot push on type ${kind}`);
  chargeItems(items.length + 1, room);
  return [...items, item];
});

/** Lists are never changed: every function makes a new one. */
export const LISTS: Readonly<Record<string, GoFunction>> = {
  append,
  compact: define(['interface {}'], ([value], room) => {
    const items = itemsOrFail(value, (kind) => `Cannot compact on type ${kind}`);
    chargeItems(items.length, room);
    return items.filter((item) => !isEmpty(item));
  }),
  concat: defineVariadic([], 'interface {}', (_, values, room) => {
    const lists = values.map((value) => itemsOrFail(value, (kind) => `Cannot concat type ${kind} as list`));
    chargeItems(
      lists.reduce((sum, items) => sum + items.length, 0),
      room,
    );
    return lists.every((items) => items.length === 0) ? NIL_SLICE : lists.reduce((all, items) => all.concat(items));
  }),
  first: define(['interface {}'], ([value]) => found(value, 'first')[0] ?? null),
  has: define(['interface {}', 'interface {}'], ([needle, value], room) =>
    value === null ? false : isIn(found(value, 'has'), needle, room),
  ),
  initial: define(['interface {}'], ([value]) => some(found(value, 'initial'), (items) => items.slice(0, -1))),
  last: define(['interface {}'], ([value]) => found(value, 'last').at(-1) ?? null),
  list,
  prepend: define(['interface {}', 'interface {}'], ([value, item], room) => {
    const items = itemsOrFail(value, (kind) => `Cannot prepend on type ${kind}`);
    chargeItems(items.length + 1, room);
    return [item, ...items];
  }),
  push: append,
  rest: define(['interface {}'], ([value]) => some(found(value, 'rest'), (items) => items.slice(1))),
  reverse: define(['interface {}'], ([value]) => found(value, 'reverse').toReversed()),
  slice: defineVariadic(['interface {}'], 'interface {}', ([value], [from = null, to]) => {
    const items = itemsOrFail(value, (kind) => `list should be type of slice or array but ${kind}`);
    if (items.length === 0) return null;
    const start = toInt64(from);
    const end = to === undefined ? BigInt(items.length) : toInt64(to);
    if (start < 0n || end < start || end > items.length) {
      throw new FunctionFailure('reflect.Value.Slice: slice index out of bounds');
    }
    const part = items.slice(Number(start), Number(end));
    return value instanceof GoList ? new GoList(value.type, part) : part;
  }),
  tuple: list,
  uniq: define(['interface {}'], ([value], room) => {
    const once: GoValue[] = [];
    for (const item of found(value, 'uniq')) if (!isIn(once, item, room)) once.push(item);
    return once;
  }),
  without: defineVariadic(['interface {}'], 'interface {}', ([value], unwanted, room) =>
    found(value, 'without').filter((item) => !isIn(unwanted, item, room)),
  ),
};

function found(value: GoValue, name: string): readonly GoValue[] {
  return itemsOrFail(value, (kind) => `Cannot find ${name} on type ${kind}`);
}

/** Comparing all with all takes longer than it makes anything: it is paid for. */
function isIn(items: readonly GoValue[], needle: GoValue, room: Room): boolean {
  room.charge(items.length * COMPARISON);
  return items.some((item) => deepEqual(needle, item, room));
}

/** What is left of nothing is Go's nil slice. */
function some(items: readonly GoValue[], left: (items: readonly GoValue[]) => readonly GoValue[]): readonly GoValue[] {
  return items.length === 0 ? NIL_SLICE : left(items);
}
