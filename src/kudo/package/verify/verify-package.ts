import type { OperatorPackage } from '../operator-package.ts';
import type { Position } from '../position.ts';
import { type Finding, type Findings, findingText, ownWarnings, together } from './finding.ts';
import { verifyNames } from './names.ts';
import { verifyNamespaces } from './namespaces.ts';
import { verifyOperatorName } from './operator-name.ts';
import { paramChecks } from './param-checks.ts';
import { verifyParameters } from './parameters.ts';
import { verifyPlanShapes } from './plan-shapes.ts';
import { verifyPlans } from './plans.ts';
import { verifyQuietParameters } from './quiet-parameters.ts';
import { verifyRendering } from './rendering.ts';
import { subjectOf, type Verifier } from './subject.ts';
import { verifyTasks } from './tasks.ts';
import { verifyTemplates } from './templates.ts';
import { verifyVersions } from './versions.ts';

/** KUDO's rules, in the order in which KUDO prints what they find. */
const kudo: readonly Verifier[] = [
  verifyNames,
  verifyVersions,
  verifyTasks,
  verifyPlans,
  verifyParameters,
  verifyTemplates,
  verifyRendering,
  verifyNamespaces,
];

/** Rules of our own. They only warn. */
const own: readonly Verifier[] = [
  ({ found }) => ownWarnings(found.warnings),
  verifyOperatorName,
  verifyPlanShapes,
  verifyQuietParameters,
];

/**
 * Checks a package. `checks` are the names of additional ones about how parameters are described: `display`, `hint`, `desc`,
 * `type`, `hasgroup`, `groups`, `all`. Errors: `PackageError` for an unknown check.
 */
export function verifyPackage(found: OperatorPackage, checks: readonly string[] = []): Findings {
  const subject = subjectOf(found);
  return together([...kudo, paramChecks(checks), ...own].map((verify) => verify(subject)));
}

/** As `package verify` prints it, in KUDO's layout. `line` makes one line of each finding: a package must not write others. */
export function verificationText(findings: Findings, line = (text: string): string => text): string {
  const block = (title: string, all: Findings['errors']) =>
    all.length === 0 ? [] : [title, ...all.map((finding) => line(findingText(finding)))];
  const { errors, warnings } = findings;
  const lines = [...block('Warnings', warnings), ...block('Errors', errors)];
  if (errors.length === 0) lines.push('package is valid');
  return `${lines.join('\n')}\n`;
}

/** The same for programs: with `-o json` or `-o yaml`. */
export interface VerificationOutput {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly valid: boolean;
  /** All of them again, with their places: KUDO's own words, which the texts keep to, have none. */
  readonly findings: readonly PlacedFinding[];
}

interface PlacedFinding extends Partial<Position> {
  readonly severity: 'error' | 'warning';
  readonly rule: Finding['rule'];
  readonly message: string;
}

export function verificationOutput({ errors, warnings }: Findings): VerificationOutput {
  const placed = (severity: PlacedFinding['severity'], all: readonly Finding[]): readonly PlacedFinding[] =>
    all.map(({ rule, message, at }) => ({ severity, rule, message, ...at }));
  return {
    errors: errors.map(findingText),
    warnings: warnings.map(findingText),
    valid: errors.length === 0,
    findings: [...placed('error', errors), ...placed('warning', warnings)],
  };
}

/** The line that a failed verification ends with; `undefined` if it did not fail. */
export function verificationFailure({ errors }: Findings): string | undefined {
  return errors.length === 0 ? undefined : `found ${errors.length} package verification errors`;
}
