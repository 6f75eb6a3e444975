import { goText } from '../go-text.ts';
import { errors, together } from './finding.ts';
import type { Verifier } from './subject.ts';

/** Parameters are told apart whatever the case of their names, and cannot be given on a command line with `;` or `,`. */
export const verifyNames: Verifier = ({ found }) => {
  const { parameters } = found.params;
  const seen = new Set<string>();
  const duplicates = parameters.filter(({ name }) => {
    const lower = name.toLowerCase();
    return seen.has(lower) || !seen.add(lower);
  });
  return together([
    errors(duplicates.map(({ name, at }) => ({ message: goText('parameter %q has a duplicate', name), at }))),
    errors(
      parameters.flatMap(({ name, at }) =>
        [...name]
          .filter((character) => ';,'.includes(character))
          .map((character) => ({
            message: goText(`parameter %q contains invalid character '${character}'`, name),
            at,
          })),
      ),
    ),
  ]);
};
