import { phases, type Summary } from '../../../portrait/summary.ts';
import { ageSince } from '../../../portrait/text/age.ts';
import { type Cell, grid } from './grid.ts';
import type { Line } from './line.ts';
import { phaseMark } from './marks.ts';

export interface FleetOptions {
  readonly now: number;
  /** Show where each of them is. */
  readonly namespaces: boolean;
  /** Also the family's own word, and why a person is needed. */
  readonly wide: boolean;
}

/** A table of workloads. */
export function fleetLines(fleet: readonly Summary[], { now, namespaces, wide }: FleetOptions): readonly Line[] {
  const header = [
    ...(namespaces ? ['NAMESPACE'] : []),
    ...['NAME', 'KIND', 'STATUS', 'SERVING', 'AGE'],
    ...(wide ? ['STATE', 'SINCE', 'NEEDS YOU'] : []),
    'INFO',
  ];
  return grid(
    fleet.map((one): readonly Cell[] => [
      ...(namespaces ? [one.subject.namespace] : []),
      nameOf(one, wide),
      one.subject.kind,
      phaseMark(one.phase),
      one.serving,
      ageSince(one.createdAt, now),
      ...(wide ? [one.state ?? '', ageSince(one.since, now), one.needsYou ?? ''] : []),
      one.headline,
    ]),
    header,
  );
}

/** What people call it, which is what commands take; the name of the object beside it, where there is room. */
function nameOf({ subject: { name, title } }: Summary, wide: boolean): string {
  if (title === undefined || title === name) return name;
  return wide ? `${title} (${name})` : title;
}

/** Those that need somebody first, then by name. */
export function byNeed(a: Summary, b: Summary): number {
  return (
    phases.indexOf(a.phase) - phases.indexOf(b.phase) ||
    compare(a.subject.namespace, b.subject.namespace) ||
    compare(a.subject.title ?? a.subject.name, b.subject.title ?? b.subject.name) ||
    compare(a.subject.kind, b.subject.kind)
  );
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
