import { text } from '../../format/sprint.ts';
import type { Room } from '../../function.ts';
import type { GoValue } from '../../value.ts';
import { isSlice, itemsOf } from './slices.ts';

/** Units of work to print an item, however short it is. */
const PRINTING = 40;

/** The items of a list as `%v` prints them, without those that are nil; anything else is a list of itself. */
export function textsOfValue(value: GoValue, room: Room): readonly string[] {
  if (value === null) return [];
  if (!isSlice(value)) return [text(value, room)];
  const items = itemsOf(value);
  room.work(items.length * PRINTING);
  return items.filter((item) => item !== null).map((item) => text(item, room));
}
