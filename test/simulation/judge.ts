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
  // A request arrives when its sender has long moved on.
  if (meddled || Object.values(plan.faults).includes('late-effect')) return problems;
  problems.push(...asked(report.effects, race ? undefined : reference.effects));
  if (createsLate(plan, report)) return race ? problems : [...problems, ...left(report.writes, reference.writes)];
  const overtaken = (name: string): boolean => subject.mayNeverBe?.(plan.workload, name) ?? false;
  const counted = race
    ? repeated(report.writes)
    : otherwise(report.writes, reference.writes, subject.moreChanges, overtaken);
  return [...problems, ...counted];
}

/**
 * Whether a process was about to create something when it was stopped for so long that another took over: that may have to be
 * deleted again.
 */
function createsLate({ faults }: Plan, { late }: Report): boolean {
  return Object.values(faults).includes('deputy') && late.some(isCreation);
}

/** What is sent below an object, such as an eviction or a call by way of a Service, makes none; nor does a patch that is no apply. */
function isCreation(call: string): boolean {
  return /^POST [^?]*\/(?!events\b)[a-z]+(\?|$)/.test(call)
    ? !/\/(eviction|proxy)\b/.test(call)
    : /^PATCH .*[?&]force=true/.test(call);
}

/** Whatever was made once more has gone once more: as many are left of each as should be. */
function left(writes: Writes, reference: Writes): readonly string[] {
  const of = (all: Writes, name: string): number => (all[name]?.created ?? 0) - (all[name]?.deleted ?? 0);
  return [...new Set([...Object.keys(reference), ...Object.keys(writes)])]
    .filter((name) => of(writes, name) !== of(reference, name))
    .map((name) => `${of(writes, name)} of ${name} are left instead of ${of(reference, name)}`);
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
