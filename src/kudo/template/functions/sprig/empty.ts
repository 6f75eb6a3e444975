import { GoInt, type GoValue } from '../../value.ts';
import { isSlice, itemsOf } from './slices.ts';

/** What `default`, `empty` and `coalesce` take for nothing: nil, false, zero, and what has no length. */
export function isEmpty(value: GoValue): boolean {
  if (value === null || value === false || value === '' || value === 0) return true;
  if (value instanceof GoInt) return value.value === 0n;
  if (value instanceof Map) return value.size === 0;
  return isSlice(value) && itemsOf(value).length === 0;
}
