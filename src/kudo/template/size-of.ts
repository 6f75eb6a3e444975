import { type Held, open } from './held.ts';
import { GoList, GoObject, type GoValue } from './value.ts';

/** What a function may have to read of an argument: its characters, or its items without what is in them. */
export function sizeOf(argument: Held | GoValue): number {
  const value = argument === null ? undefined : open(argument);
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object') return 0;
  if (value instanceof Map) return value.size;
  if (value instanceof GoList) return value.items.length;
  if (value instanceof GoObject) return value.text.length;
  return Array.isArray(value) ? value.length : 0;
}
