import { isAbsent, isObject, type Members, member, plain } from './equal.ts';

/** Deeper than any configuration file; what lies below is one value. */
const deepest = 100;

/**
 * A configuration with nested maps as one map of dotted keys. Scalars become text and lists of scalars their elements
 * joined by `;`, as the program reads them. An empty list or map is no key at all.
 */
export function flatten(configuration: Members): Map<string, unknown> {
  const flat = new Map<string, unknown>();
  const add = (object: Members, prefix: string, depth: number): void => {
    // Sorted, `a` comes before `a.b`: a key written with dots wins, whatever the order of the file.
    for (const key of Object.keys(object).sort()) {
      const value = member(object, key);
      if (isAbsent(value) || (Array.isArray(value) && value.length === 0)) continue;
      if (isObject(value) && depth < deepest) add(value, `${prefix}${key}.`, depth + 1);
      else flat.set(prefix + key, text(value));
    }
  };
  add(configuration, '', 0);
  return flat;
}

function text(value: unknown): unknown {
  if (Array.isArray(value)) {
    const elements = value.map(plain);
    return elements.some((element) => typeof element === 'object') ? value : elements.map(String).join(';');
  }
  return typeof value === 'object' ? value : String(value);
}
