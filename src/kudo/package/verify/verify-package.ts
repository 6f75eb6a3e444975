import type { OperatorPackage } from '../operator-package.ts';
import { type Findings, findingText, ownWarnings, together } from './finding.ts';
import { verifyNames } from './names.ts';
import { verifyNamespaces } from './namespaces.ts';
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
const own: readonly Verifier[] = [({ found }) => ownWarnings(found.warnings), verifyPlanShapes, verifyQuietParameters];

/**
 * Checks a package. `checks` are the names of additional ones about how parameters are described: `display`, `hint`, `desc`,
 * `type`, `hasgroup`, `groups`, `all`. Errors: `PackageError` for an unknown check.
 */
export function verifyPackage(found: OperatorPackage, checks: readonly string[] = []): Findings {
  const subject = subjectOf(found);
  return together([...kudo, paramChecks(checks), ...own].map((verify) => verify(subject)));
}

/** As `package verify` prints it, in KUDO's layout. */
export function verificationText(findings: Findings): string {
  const block = (title: string, all: Findings['errors']) => (all.length === 0 ? [] : [title, ...all.map(findingText)]);
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
}

export function verificationOutput({ errors, warnings }: Findings): VerificationOutput {
  return { errors: errors.map(findingText), warnings: warnings.map(findingText), valid: errors.length === 0 };
}

/** The line that a failed verification ends with; `undefined` if it did not fail. */
export function verificationFailure({ errors }: Findings): string | undefined {
  return errors.length === 0 ? undefined : `found ${errors.length} package verification errors`;
}
