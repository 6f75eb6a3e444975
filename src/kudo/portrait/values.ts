import { own } from '../graph/own.ts';
import { isSecretParameter } from '../graph/secret-parameters.ts';
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

/** Nothing is shown of secret parameters, and without the version of none, for nobody can tell. */
export function shownValues(version: OperatorVersion | undefined): Shown {
  if (!version) return { text: (name, values) => (own(values, name) === undefined ? undefined : '(not shown)') };
  const definitions = definitionsOf(version);
  return {
    text(name, values) {
      const given = own(values, name);
      const value = given ?? definitions.get(name)?.default ?? undefined;
      if (value === undefined) return undefined;
      if (isSecretParameter(version, name)) return secret;
      const line = value.length > longest ? `${value.slice(0, longest)}…` : value;
      return given === undefined ? `${line} (default)` : line;
    },
  };
}
