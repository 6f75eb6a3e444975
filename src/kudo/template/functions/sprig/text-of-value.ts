import { text } from '../../format/sprint.ts';
import type { Room } from '../../function.ts';
import { GoInt, GoList, type GoValue } from '../../value.ts';
import { textOf } from './go-bytes.ts';
import { isSlice, itemsOf } from './slices.ts';

/** A value as sprig makes a string of it: as `%v` prints it, but bytes are text. */
export function textOfValue(value: GoValue, room: Room): string {
  if (value instanceof GoList && value.type === '[]uint8') {
    return textOf(Uint8Array.from(value.items, (item) => (item instanceof GoInt ? Number(item.value) : 0)));
  }
  return text(value, room);
}

/** The items of a list as strings, without those that are nil; anything else is a list of itself. */
export function textsOfValue(value: GoValue, room: Room): readonly string[] {
  if (value === null) return [];
  if (!isSlice(value)) return [textOfValue(value, room)];
  return itemsOf(value)
    .filter((item) => item !== null)
    .map((item) => textOfValue(item, room));
}
