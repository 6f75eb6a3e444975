import type { Hook } from './admission.ts';
import { letThrough } from './let-through.ts';

/**
 * Hooks that let through whatever is asked about some kinds, unchanged and without a word: they are left to another operator, which has
 * rules of its own.
 *
 * @param off kinds in lower case
 */
export function withoutKinds(
  hooks: Readonly<Record<string, Hook>>,
  off: readonly string[],
): Readonly<Record<string, Hook>> {
  if (off.length === 0) return hooks;
  return letThrough(hooks, ({ kind }) => off.includes(kind.kind.toLowerCase()));
}
