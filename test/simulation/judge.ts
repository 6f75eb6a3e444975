import { canonical } from '../../src/control/digest.ts';
import type { Plan } from './plan.ts';
import type { Report } from './simulate.ts';
import type { Subject, Writes } from './subject.ts';

/** A disturbed run makes at most so many times the calls of the undisturbed one, and some: more is a hot loop. */
const hotter = 6;
const someCalls = 1_000;

/** What is wrong with a disturbed run, compared with the run of `calmed(plan)`. Empty when all is well. */
export function judge(subject: Subject, plan: Plan, report: Report, reference: Report): readonly string[] {
  const meddled = Object.keys(plan.acts ?? {}).length > 0;
  const race = subject.racing.has(plan.workload) || meddled;
  const problems = [...new Set(report.violations)];
  const [actual, expected] = [report, reference]
    .map(({ end }) => canonical(end))
    .map((end) => (race ? subject.anyTransition(end) : end));
  if (actual !== expected) problems.push(`the end differs: ${firstDifference(expected ?? '', actual ?? '')}`);
  if (report.calls.length > hotter * reference.calls.length + someCalls) {
    problems.push(`${report.calls.length} calls were made instead of ${reference.calls.length}`);
  }
  if (meddled) return problems;
  if (createsLate(plan, report)) return problems;
  problems.push(...asked(report.effects, race ? undefined : reference.effects));
  const overtaken = (name: string): boolean => subject.mayNeverBe?.(plan.workload, name) ?? false;
  // Each time that caches go back, they show once more what was, and a status says so once more.
  const rewinds = Object.values(plan.faults).filter((fault) => fault === 'rewind').length;
  const moreChanges = subject.moreChanges * (1 + rewinds);
  const counted = race ? repeated(report.writes) : otherwise(report.writes, reference.writes, moreChanges, overtaken);
  return [...problems, ...counted];
}

/**
 * Whether a request arrived when its sender had long moved on: it may create what has to be deleted again. So does one that a
 * process was about to send when it was stopped for so long that another took over.
 */
function createsLate({ faults }: Plan, { late }: Report): boolean {
  const struck = Object.values(faults);
  if (struck.includes('late-effect')) return true;
  return struck.includes('deputy') && late.some((call) => /^(POST|PATCH) /.test(call));
}

/** The same objects must have been created and deleted, and hardly more written. */
function otherwise(
  writes: Writes,
  reference: Writes,
  moreChanges: number,
  overtaken: (name: string) => boolean,
): readonly string[] {
  const problems: string[] = [];
  for (const name of new Set([...Object.keys(reference), ...Object.keys(writes)])) {
    const expected = reference[name] ?? { created: 0, changed: 0, deleted: 0 };
    const actual = writes[name] ?? { created: 0, changed: 0, deleted: 0 };
    const fewer = expected.created - actual.created;
    const neverMade = fewer > 0 && overtaken(name);
    const same = expected.deleted - actual.deleted === fewer && (fewer === 0 || neverMade);
    if (same && actual.changed <= expected.changed + moreChanges) continue;
    problems.push(`${name} was written otherwise: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
  }
  return problems;
}

/** Every intent reached the outside exactly once, and none did that is not one. */
function asked(effects: Report['effects'], reference = Object.fromEntries(Object.keys(effects).map((id) => [id, 1]))) {
  return [...new Set([...Object.keys(reference), ...Object.keys(effects)])]
    .filter((id) => effects[id] !== reference[id])
    .map((id) => `${id} took effect ${effects[id] ?? 0} times instead of ${reference[id] ?? 0}`);
}

/** Whichever objects there were, none of them may have been made twice. */
function repeated(writes: Writes): readonly string[] {
  const twice = Object.entries(writes).filter(([, { created }]) => created > 1);
  return twice.map(([name, { created }]) => `${name} was created ${created} times`);
}

function firstDifference(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return `…${a.slice(Math.max(0, at - 60), at + 60)}… became …${b.slice(Math.max(0, at - 60), at + 60)}…`;
}
