import { type Complaint, complaintText } from '../package-error.ts';

/** What a check found. A package with errors cannot work, or not always; warnings are for its author to think about. */
export interface Findings {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

export interface Finding extends Complaint {
  /**
   * Whose rule it is. KUDO's are in its own words, which have no place in them; ours begin with file, line and column.
   */
  readonly rule: 'kudo' | 'cutover';
}

export const nothing: Findings = { errors: [], warnings: [] };

export function together(all: readonly Findings[]): Findings {
  return { errors: all.flatMap(({ errors }) => errors), warnings: all.flatMap(({ warnings }) => warnings) };
}

/** Errors by KUDO's rules. */
export function errors(found: readonly Complaint[]): Findings {
  return { errors: found.map((one) => ({ ...one, rule: 'kudo' })), warnings: [] };
}

/** Warnings by KUDO's rules. */
export function warnings(found: readonly Complaint[]): Findings {
  return { errors: [], warnings: found.map((one) => ({ ...one, rule: 'kudo' })) };
}

/** Warnings by rules that KUDO does not have. There are no such errors: a package for KUDO 0.19 stays valid. */
export function ownWarnings(found: readonly Complaint[]): Findings {
  return { errors: [], warnings: found.map((one) => ({ ...one, rule: 'cutover' })) };
}

export function findingText(finding: Finding): string {
  return finding.rule === 'kudo' ? finding.message : complaintText(finding);
}
