import { goText } from '../go-text.ts';
import type { PackageGroup, PackageParameter } from '../operator-package.ts';
import { PackageError } from '../package-error.ts';
import { type Findings, nothing, together, warnings } from './finding.ts';
import type { Verifier } from './subject.ts';

/** Checks of how a package describes its parameters, for those who ask for them; in the order they are listed in messages. */
const names = ['display', 'hint', 'desc', 'type', 'hasgroup', 'groups', 'all'] as const;

/** Why a parameter or group could be described better; nothing: it could not. */
type Check<T> = (described: T) => string | undefined;

const ofParameters: readonly { readonly name: string; readonly check: Check<PackageParameter> }[] = [
  { name: 'desc', check: ({ description }) => descriptionProblem(description) },
  {
    name: 'hint',
    check: ({ hint }) => (hint ? unless(hint.endsWith('.'), "has a hint not ending with a '.'") : 'has no hint'),
  },
  { name: 'display', check: ({ displayName }) => displayNameProblem(displayName) },
  { name: 'hasgroup', check: ({ group }) => unless(Boolean(group), 'has no group') },
  { name: 'type', check: ({ type }) => unless(Boolean(type), 'has no explicit type assigned') },
];

const ofGroups: readonly Check<PackageGroup>[] = [
  ({ displayName }) => displayNameProblem(displayName),
  ({ description }) => descriptionProblem(description),
];

/** The checks with these names. Errors: `PackageError` when one of them is unknown. */
export function paramChecks(wanted: readonly string[]): Verifier {
  for (const name of wanted) {
    if (names.some((known) => known === name)) continue;
    throw new PackageError(`unknown parameter check: ${name}, must be one of [${names.join(' ')}]`);
  }
  const has = (name: string) => wanted.includes('all') || wanted.includes(name);
  return ({ found }) => {
    const { parameters, groups } = found.params;
    return together([
      ...ofParameters.filter(({ name }) => has(name)).map(({ check }) => described('parameter', parameters, [check])),
      has('groups') ? described('parameter group', groups, ofGroups) : nothing,
    ]);
  };
}

function described<T extends PackageParameter | PackageGroup>(
  what: string,
  all: readonly T[],
  checks: readonly Check<T>[],
): Findings {
  return warnings(
    all.flatMap((one) =>
      checks.flatMap((check) => {
        const problem = check(one);
        return problem === undefined ? [] : [{ message: `${what} ${goText('%q', one.name)} ${problem}`, at: one.at }];
      }),
    ),
  );
}

function displayNameProblem(name: string | undefined): string | undefined {
  if (!name) return 'has no displayName';
  if (name.endsWith(':')) return "has a displayName ending with ':'";
  return unless(isCapital(name), 'has a displayName that does not start with a capital letter');
}

function descriptionProblem(description: string | undefined): string | undefined {
  if (!description) return 'has no description';
  if (!/[.!?)]$/.test(description)) return "has a description not ending with one of '.!?)'";
  return unless(isCapital(description), 'has a description that does not start with a capital letter');
}

function unless(fine: boolean, problem: string): string | undefined {
  return fine ? undefined : problem;
}

/** Of letters of ASCII only: KUDO looks at the first byte. */
function isCapital(text: string): boolean {
  return !/^[a-z]/.test(text);
}
