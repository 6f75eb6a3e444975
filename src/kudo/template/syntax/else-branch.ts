import type { Branch } from './ast.ts';

/**
 * The next alternative of a branch, as in `else if`, or nothing but an `if` after an `else`. There may be thousands of
 * them, each inside the one before: whoever walks through them must not go down a level for each.
 */
export function elseBranch({ otherwise }: Branch): Branch | undefined {
  const [only, more] = otherwise?.nodes ?? [];
  return more === undefined && (only?.kind === 'if' || only?.kind === 'with') ? only : undefined;
}
