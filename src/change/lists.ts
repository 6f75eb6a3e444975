import type { Field } from '../schema/field.ts';
import { isAbsent, isObject, member, plain } from './equal.ts';

interface Keyed {
  readonly element: unknown;
  readonly keys: readonly (readonly [key: string, value: string])[];
}

/**
 * The elements of a list by the values of their keys. `undefined` when the list does not keep its promise (a key is
 * missing and has no default, is no scalar, or two elements share it): then it can only be compared as a whole.
 */
export function byKeys(
  list: readonly unknown[],
  keys: readonly string[],
  items: Field | undefined,
): Map<string, Keyed> | undefined {
  const found = new Map<string, Keyed>();
  for (const item of list) {
    const element = plain(item);
    if (!isObject(element)) return undefined;
    const values = keys.map((key) => {
      const value = member(element, key);
      return isAbsent(value) ? items?.properties?.[key]?.default : value;
    });
    if (values.some((value) => isAbsent(value) || typeof value === 'object')) return undefined;
    const id = JSON.stringify(values);
    if (found.has(id)) return undefined;
    found.set(id, { element, keys: keys.map((key, index) => [key, String(values[index])]) });
  }
  return found;
}

/** Whether two lists hold the same scalars, in any order. Objects are the same only when they are one. */
export function sameSet(left: readonly unknown[], right: readonly unknown[]): boolean {
  const [a, b] = [new Set(left.map(plain)), new Set(right.map(plain))];
  return a.size === b.size && [...a].every((value) => b.has(value));
}
