import { isObject } from '../../src/change/equal.ts';

/** Shorter texts and smaller numbers stand in everything. */
const leastLength = 3;
const leastNumber = 100;

/**
 * What a spec says beyond the usual one and nothing that was made says: a field that is realised by leaving it out. Only
 * texts and numbers that do not occur by chance are looked for, as they are spelled there.
 */
export function unheeded(
  usual: unknown,
  spec: unknown,
  made: string,
  spelt: Readonly<Record<string, string>> = {},
): readonly string[] {
  const known = new Set(leaves(usual));
  return [...new Set(leaves(spec))].filter((leaf) => !known.has(leaf) && !made.includes(spelt[leaf] ?? leaf));
}

function leaves(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length >= leastLength ? [value] : [];
  if (typeof value === 'number') return value >= leastNumber ? [String(value)] : [];
  if (Array.isArray(value)) return value.flatMap(leaves);
  return isObject(value) ? Object.values(value).flatMap(leaves) : [];
}
