import { sortedKeys } from '../../format/bytes.ts';
import type { Room } from '../../function.ts';
import { typeOf } from '../../type.ts';
import type { GoMap, GoValue } from '../../value.ts';
import { isEmpty } from './empty.ts';
import { weigh } from './weigh.ts';

interface How {
  /** What is there already gives way. */
  readonly overwrite: boolean;
}

/**
 * Merges a map into another one as the Go library under sprig does. What is empty never replaces anything (and is not
 * even added), and lists are not joined. False when two values under one key have different types: then it stops.
 */
export function mergeInto(into: GoMap, from: GoMap, how: How, room: Room): boolean {
  weigh(from, room);
  return merged(into, from, how);
}

function merged(into: GoMap, from: GoMap, how: How): boolean {
  for (const key of sortedKeys(from)) {
    const [ours, theirs] = [into.get(key) ?? null, from.get(key) as GoValue];
    if (theirs === null) {
      if (how.overwrite) into.set(key, null);
    } else if (ours === null) {
      if (isEmpty(theirs)) into.delete(key);
      else into.set(key, theirs);
    } else if (typeOf(ours) !== typeOf(theirs)) {
      return false;
    } else if (ours instanceof Map && theirs instanceof Map) {
      if (!merged(ours as GoMap, theirs as GoMap, how)) return false;
    } else if (!isEmpty(theirs) && (how.overwrite || isEmpty(ours))) {
      into.set(key, theirs);
    }
  }
  return true;
}
