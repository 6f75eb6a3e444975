import { line } from '../../src/change/show.ts';
import type { Operation } from './operation.ts';

/** What became of an operation. */
export type Outcome =
  | { readonly is: 'realised' }
  /** By the schema of the definition: the API server. */
  | { readonly is: 'refused'; readonly by: 'schema' | 'admission'; readonly words: string }
  /** It was stored, and conditions or errors say what is wrong. */
  | { readonly is: 'told'; readonly words: string }
  /** Nobody objects, and the controllers were not shown it. */
  | { readonly is: 'admitted' };

/** An operation with its outcome, and everything about it that should not be. */
export interface Finding {
  readonly kind: string;
  readonly operation: Operation;
  readonly outcome: Outcome | { readonly is: 'stuck'; readonly words: string };
  readonly problems: readonly string[];
  /** Why problems that are not in the list are none. */
  readonly declared?: readonly string[];
  /** What was there in the end, without the lane's name. */
  readonly state: string;
}

/**
 * Whether words tell a person which field they are about: they contain its name, the path of a parent, or the value that was
 * written. `spec` alone names nothing.
 */
export function names(words: string, { about, value }: Operation): boolean {
  const parts = about
    .replaceAll(/\[\]|\{\}/g, '')
    .split('.')
    .slice(1);
  const quoted = typeof value === 'string' && value.length > 2 ? line(value).trim().slice(0, 40) : undefined;
  return (
    parts.some((_, at) => words.includes(`spec.${parts.slice(0, at + 1).join('.')}`)) ||
    words.toLowerCase().includes((parts.at(-1) ?? '').toLowerCase()) ||
    (quoted !== undefined && words.includes(quoted))
  );
}
