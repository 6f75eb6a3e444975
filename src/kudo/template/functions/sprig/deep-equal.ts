import type { Room } from '../../function.ts';
import { typeOf } from '../../type.ts';
import { GoInt, GoObject, type GoValue } from '../../value.ts';
import { isNilSlice, isSlice, itemsOf } from './slices.ts';
import { weigh } from './weigh.ts';

/** As Go's `reflect.DeepEqual`: the same types all the way down, so 1 of int and 1 of float64 are not equal. */
export function deepEqual(a: GoValue, b: GoValue, room: Room): boolean {
  if (typeof a === 'string') room.work(a.length);
  if (typeof a !== 'object' || typeof b !== 'object') return a === b;
  if (a instanceof GoInt) return b instanceof GoInt && a.value === b.value && a.type === b.type;
  weigh(a, room);
  return equal(a, b);
}

function equal(a: GoValue, b: GoValue): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object' || typeOf(a) !== typeOf(b))
    return false;
  if (a instanceof GoInt && b instanceof GoInt) return a.value === b.value;
  if (a instanceof GoObject && b instanceof GoObject) return a.text === b.text;
  if (isSlice(a) && isSlice(b)) {
    const [ours, theirs] = [itemsOf(a), itemsOf(b)];
    if (isNilSlice(a) !== isNilSlice(b) || ours.length !== theirs.length) return false;
    return ours.every((item, index) => equal(item, theirs[index] as GoValue));
  }
  if (!(a instanceof Map) || !(b instanceof Map) || a.size !== b.size) return false;
  for (const [key, value] of a as ReadonlyMap<string, GoValue>) {
    const other = b.get(key);
    if (other === undefined || !equal(value, other)) return false;
  }
  return true;
}
