import type { Held } from './held.ts';
import { open } from './held.ts';
import { GoInt, GoList } from './value.ts';

/** What `if`, `with`, `and`, `or` and `not` take for true: anything but nothing, zero, and what is empty. */
export function isTrue(held: Held): boolean {
  const value = open(held);
  switch (typeof value) {
    case 'undefined':
      return false;
    case 'string':
      return value !== '';
    case 'boolean':
      return value;
    case 'number':
      return value !== 0;
  }
  if (value instanceof GoInt) return value.value !== 0n;
  if (value instanceof Map) return value.size > 0;
  if (value instanceof GoList) return value.items.length > 0;
  return Array.isArray(value) ? value.length > 0 : true;
}
