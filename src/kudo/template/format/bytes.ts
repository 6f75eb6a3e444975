import { bytesOf } from '../functions/sprig/go-bytes.ts';
import type { GoValue } from '../value.ts';

/** The keys of a map in the order of their bytes, which is Go's. */
export function sortedKeys(map: ReadonlyMap<string, GoValue>): string[] {
  return [...map.keys()].sort(byBytes);
}

/** Units of work for sorting texts: they may all begin alike, and are compared with many others. */
export function workOfSorting(texts: Iterable<string>): number {
  let count = 0;
  let characters = 0;
  for (const text of texts) {
    count++;
    characters += text.length + 10;
  }
  return characters * Math.ceil(Math.log2(count + 1));
}

/** UTF-8 orders like code points; UTF-16 does not where surrogates meet the characters above them. */
export function byBytes(one: string, other: string): number {
  if (one === other) return 0;
  if (!one.isWellFormed() || !other.isWellFormed()) return Buffer.compare(bytesOf(one), bytesOf(other));
  const end = Math.min(one.length, other.length);
  for (let at = 0; at < end; at++) {
    const a = one.charCodeAt(at);
    const b = other.charCodeAt(at);
    if (a === b) continue;
    const aIsHigh = (a & 0xf800) === 0xd800;
    const bIsHigh = (b & 0xf800) === 0xd800;
    return aIsHigh === bIsHigh ? a - b : aIsHigh ? 1 : -1;
  }
  return one.length - other.length;
}
