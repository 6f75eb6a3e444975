import type { Pki } from '../../../src/embedded/auth/pki.ts';
import { judge } from '../judge.ts';
import { oracleOf } from '../oracles/oracle-of.ts';
import type { Fault, Plan } from '../plan.ts';
import { type Report, type SimulateOptions, simulate } from '../simulate.ts';
import type { Subject } from '../subject.ts';
import { subjects } from '../subjects.ts';
import type { Mistake } from './mistake.ts';

/** How a mistake is noticed, on record. */
export interface Kill {
  /** What went wrong where; absent: the mistake shows without. */
  readonly strike?: Strike;
  /** The oracles that noticed. */
  readonly oracles: readonly string[];
  /** The first thing that was said. */
  readonly what: string;
}

/** A fault at a call, named by what it asks for: numbers change whenever something is asked for earlier. */
export interface Strike {
  readonly fault: Fault;
  readonly call: string;
  /** Of the calls that ask for the same, which. */
  readonly nth: number;
}

/** Nobody waits for long at the end. */
const quietMs = 4 * 60_000;

export function subjectOf({ subject }: Mistake): Subject {
  const found = subjects.find(({ name }) => name === subject);
  if (!found) throw new Error(`there is no subject ${subject}`);
  return found;
}

export function calmOf({ subject, workload }: Mistake): Plan {
  return { subject, workload, seed: 1, faults: {} };
}

/** Runs the operator, with the mistake in it or as it ships, through a plan. */
export function run(mistake: Mistake, plan: Plan, pki: Pki, options: SimulateOptions): Promise<Report> {
  return simulate(subjectOf(mistake), plan, pki, { ...options, quietMs });
}

/** What is wrong with a run, compared with that of the operator as it ships, undisturbed; without what differs by chance. */
export function wrongWith(mistake: Mistake, plan: Plan, report: Report, reference: Report): readonly string[] {
  return judge(subjectOf(mistake), plan, report, reference).map(known);
}

/** The plan that strikes there, in a run that makes these calls until then. */
export function strikingAt(calm: Plan, { fault, call, nth }: Strike, calls: readonly string[]): Plan | undefined {
  const alike = calls.flatMap((made, index) => (asked(made) === call ? [index + 1] : []));
  const number = alike[nth - 1];
  return number === undefined ? undefined : { ...calm, faults: { [number]: fault } };
}

export function strikeOf(fault: Fault, number: number, calls: readonly string[]): Strike {
  const call = asked(calls[number - 1] ?? '');
  const nth = calls.slice(0, number).filter((made) => asked(made) === call).length;
  return { fault, call, nth };
}

export function killOf(problems: readonly string[], strike?: Strike): Kill {
  const oracles = [...new Set(problems.map(oracleOf))].toSorted();
  return { ...(strike && { strike }), oracles, what: (problems[0] ?? '').slice(0, 160) };
}

/** A call without its options and without what differs by chance. */
function asked(call: string): string {
  return known(call.split('?', 1)[0] ?? '');
}

function known(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
    .replaceAll(/[0-9a-f]{10,}/g, 'HEX')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\d{13}/g, 'TIME');
}
