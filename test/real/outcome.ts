/** What came of one suite. */
export type Outcome =
  /** Its tests ran. */
  | { readonly kind: 'ran'; readonly passed: number; readonly failed: number; readonly skipped: number }
  /** Its parts could not be had; no test ran. */
  | { readonly kind: 'skipped'; readonly reason: string };

/** The counts over all suites; a suite that did not run counts as one skipped. */
export function total(outcomes: readonly Outcome[]): { passed: number; failed: number; skipped: number } {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const outcome of outcomes) {
    sum.passed += outcome.kind === 'ran' ? outcome.passed : 0;
    sum.failed += outcome.kind === 'ran' ? outcome.failed : 0;
    sum.skipped += outcome.kind === 'ran' ? outcome.skipped : 1;
  }
  return sum;
}

/**
 * On a developer's machine a suite, or a test, may be skipped for want of its parts; in CI that would hide that nothing was tested.
 */
export function exitCode(outcomes: readonly Outcome[], ci: boolean): 0 | 1 {
  if (outcomes.some((outcome) => outcome.kind === 'ran' && outcome.failed > 0)) return 1;
  return ci && total(outcomes).skipped > 0 ? 1 : 0;
}

/**
 * Reads the counts of a Vitest JSON report. A report that is missing, or a failing exit without a failed test (a file
 * that does not load, no test found), is one failure: nothing may look green by not running.
 */
export function outcomeOf(report: string | undefined, code: number | null): Outcome {
  if (report === undefined) return { kind: 'ran', passed: 0, failed: 1, skipped: 0 };
  const counts = JSON.parse(report) as Readonly<
    Record<'numPassedTests' | 'numFailedTests' | 'numPendingTests' | 'numTodoTests', number>
  >;
  const failed = counts.numFailedTests > 0 ? counts.numFailedTests : code === 0 ? 0 : 1;
  return { kind: 'ran', passed: counts.numPassedTests, failed, skipped: counts.numPendingTests + counts.numTodoTests };
}
