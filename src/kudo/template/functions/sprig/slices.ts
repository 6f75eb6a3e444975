import { FunctionFailure, type Room } from '../../function.ts';
import { kindOf } from '../../type.ts';
import { GoList, type GoSlice, type GoValue } from '../../value.ts';

/** An item takes as much room as so many characters. */
const ITEM = 8;

/** Pays for a list or dict of so many items. */
export function chargeItems(count: number, room: Pick<Room, 'charge'>): void {
  room.charge(count * ITEM);
}

/** What Go's `nil` slices are: empty, but `null` in JSON and not deeply equal to an empty slice that was made. */
export const NIL_SLICE: readonly GoValue[] = Object.freeze([]);
export const NIL_STRINGS = new GoList('[]string', []);

export function isNilSlice(value: GoValue): boolean {
  return value === NIL_SLICE || value === NIL_STRINGS;
}

export function isSlice(value: GoValue): value is GoSlice {
  return Array.isArray(value) || value instanceof GoList;
}

export function itemsOf(slice: GoSlice): readonly GoValue[] {
  return slice instanceof GoList ? slice.items : slice;
}

/** The items of what must be a slice; `refusal` says with Go's words what cannot be done with another kind. */
export function itemsOrFail(value: GoValue, refusal: (kind: string) => string): readonly GoValue[] {
  if (value === null) throw nilPointer();
  if (!isSlice(value)) throw new FunctionFailure(refusal(kindOf(value)));
  return itemsOf(value);
}

export function strings(items: readonly string[]): GoList {
  return new GoList('[]string', items);
}

/** What Go says when a function looks at the type of nothing. */
export function nilPointer(): FunctionFailure {
  return new FunctionFailure('runtime error: invalid memory address or nil pointer dereference');
}
