import { own } from '../graph/own.ts';
import { readsOf } from '../graph/reads.ts';
import { definitionsOf } from '../parameters/definitions.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';

/** Values of parameters as they may be shown. */
export interface Shown {
  /** The value that templates see, given what was written; `undefined` when there is none. */
  text(name: string, values: Readonly<Record<string, string>>): string | undefined;
}

/** What is shown of a value that ends up in a Secret, or looks as if it were one. */
const secret = '(secret)';

/** So much of a value is shown. */
const longest = 200;

/** Names that people give to what nobody should see. */
const tellTale = /pass(?:word|wd|phrase)|secret|token|credential|private_?key|api_?key/i;

/**
 * Parameters are no Secrets, but some become ones: what a template with a Secret reads is not shown, nor what is named like
 * one. Without the version nothing is shown, for nobody can tell.
 */
export function shownValues(version: OperatorVersion | undefined): Shown {
  if (!version) return { text: (name, values) => (own(values, name) === undefined ? undefined : '(not shown)') };
  const definitions = definitionsOf(version);
  const hidden = readBySecrets(version);
  return {
    text(name, values) {
      const given = own(values, name);
      const value = given ?? definitions.get(name)?.default ?? undefined;
      if (value === undefined) return undefined;
      if (hidden === 'all' || hidden.has(name) || tellTale.test(name)) return secret;
      const line = value.length > longest ? `${value.slice(0, longest)}…` : value;
      return given === undefined ? `${line} (default)` : line;
    },
  };
}

const known = new WeakMap<OperatorVersion, ReadonlySet<string> | 'all'>();

/** Versions are never changed in place, and a page asks this again and again. */
function readBySecrets(version: OperatorVersion): ReadonlySet<string> | 'all' {
  const found = known.get(version) ?? findReadBySecrets(version);
  known.set(version, found);
  return found;
}

function findReadBySecrets(version: OperatorVersion): ReadonlySet<string> | 'all' {
  const found = new Set<string>();
  for (const [file, text] of Object.entries(version.spec.templates ?? {})) {
    if (!/^[ \t]*kind:[ \t]*["']?Secret\b/m.test(text)) continue;
    const { params, any } = readsOf(version, file);
    if (any) return 'all';
    for (const name of params.keys()) found.add(name);
  }
  return found;
}
