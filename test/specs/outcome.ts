import { isObject } from '../../src/change/equal.ts';
import { line } from '../../src/change/show.ts';
import type { Ground } from './ground.ts';
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
 * Whether words tell a person which field they are about: they contain its name, the path of a parent, the value that was
 * written, or what is missing now; or they speak of it as its users do. `spec` alone names nothing.
 */
export function names(words: string, { about, value, before }: Operation, spokenOf: Ground['spokenOf'] = []): boolean {
  const parts = about
    .replaceAll(/\[\]|\{\}/g, '')
    .split('.')
    .slice(1);
  const said = words.toLowerCase();
  const missing = isObject(before) ? before.name : before;
  const quoted = [value, missing].filter((one) => typeof one === 'string' && one.length > 2) as readonly string[];
  return (
    parts.some((_, at) => words.includes(`spec.${parts.slice(0, at + 1).join('.')}`)) ||
    spokenOf.some((one) => one.about.test(about) && one.words.test(words)) ||
    said.includes((parts.at(-1) ?? '').toLowerCase()) ||
    quoted.some((text) => said.includes(line(text).trim().slice(0, 40).toLowerCase()))
  );
}
