import { phases, type Summary } from '../../portrait/summary.ts';

/**
 * Who needs a person comes first, then by phase in the order of `phases`, then by name. Within one rank nothing depends on time, so that
 * rows do not change places while somebody reads them.
 */
export function byNeed(a: Summary, b: Summary): number {
  return (
    rank(a) - rank(b) ||
    compare(a.subject.namespace, b.subject.namespace) ||
    compare(a.subject.title ?? a.subject.name, b.subject.title ?? b.subject.name) ||
    compare(a.subject.kind, b.subject.kind) ||
    compare(a.subject.name, b.subject.name)
  );
}

function rank(summary: Summary): number {
  const phase = phases.indexOf(summary.phase);
  const known = phase < 0 ? phases.length : phase;
  return summary.needsYou === undefined ? known + phases.length + 1 : known;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
