import { line } from '../../change/show.ts';
import type { Problem } from './problem.ts';

/** One rule: a row in the table of a group, in the reference and in the docs. */
export interface Rule<Subject> {
  /** Its name, for tests and docs: `job-parallelism`. */
  readonly rule: string;
  /** The field that it is about: `spec.job.parallelism`. */
  readonly field: string;
  /** What it demands, in one sentence for the docs. */
  readonly says: string;
  /** What breaks it; nothing when all is well. Total: asked about anything that has the shape of the kind. */
  readonly check: (subject: Subject) => Finding | readonly Finding[];
}

/** A message; with a field of its own when the rule is about several. */
export type Finding = undefined | string | { readonly field: string; readonly message: string };

/**
 * All problems, in the order of the rules: the first is the one that the upstream would report. Messages quote what people
 * wrote, and end in terminals: control characters in them become escapes.
 */
export function problemsOf<Subject>(rules: readonly Rule<Subject>[], subject: Subject): Problem[] {
  return rules.flatMap(({ rule, field, check }) => {
    const found = check(subject);
    const findings: readonly Finding[] = Array.isArray(found) ? found : [found as Finding];
    return findings.flatMap((finding): Problem[] => {
      if (finding === undefined) return [];
      const said = typeof finding === 'string' ? { field, message: finding } : finding;
      return [{ rule, field: line(said.field), message: line(said.message) }];
    });
  });
}

/** A value as people wrote it, on one line of bounded length. */
export function shown(value: unknown): string {
  return short(JSON.stringify(value) ?? 'absent');
}

/** A text that may be of any length, cut after 120 characters. */
export function short(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
