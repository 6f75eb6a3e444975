import { type Phase, phases, type Summary } from '../../portrait/summary.ts';

/** Which workloads a person wants to see. Kept in the address, so that a filtered fleet can be sent to a colleague. */
export interface Filter {
  readonly text: string;
  /** Empty: all. */
  readonly phases: readonly Phase[];
  readonly family?: string | undefined;
  readonly namespace?: string | undefined;
  /** `transition`: something is being redone; `needs`: a person is needed. */
  readonly only?: 'transition' | 'needs' | undefined;
}

export const everything: Filter = { text: '', phases: [] };

/** Every word of the text must be found in what is known of the workload in one line. */
export function passes(summary: Summary, filter: Filter): boolean {
  const { subject, phase } = summary;
  if (filter.phases.length > 0 && !filter.phases.includes(phase)) return false;
  if (filter.family !== undefined && subject.family !== filter.family) return false;
  if (filter.namespace !== undefined && subject.namespace !== filter.namespace) return false;
  if (filter.only === 'transition' && !summary.inTransition) return false;
  if (filter.only === 'needs' && summary.needsYou === undefined) return false;
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const line = [
    subject.name,
    subject.title,
    subject.namespace,
    subject.kind,
    subject.family,
    phase,
    summary.state,
    summary.serving,
    summary.headline,
  ]
    .join('\n')
    .toLowerCase();
  return words.every((word) => line.includes(word));
}

export interface Counts {
  readonly all: number;
  readonly transition: number;
  readonly needs: number;
  readonly phases: Readonly<Record<Phase, number>>;
}

/** How many there are to be found behind each filter. */
export function countsOf(summaries: Iterable<Summary>): Counts {
  const byPhase = Object.fromEntries(phases.map((phase) => [phase, 0])) as Record<Phase, number>;
  let all = 0;
  let transition = 0;
  let needs = 0;
  for (const summary of summaries) {
    all += 1;
    if (summary.inTransition) transition += 1;
    if (summary.needsYou !== undefined) needs += 1;
    if (Object.hasOwn(byPhase, summary.phase)) byPhase[summary.phase] += 1;
  }
  return { all, transition, needs, phases: byPhase };
}

/** The filter that a query of the address means; what it does not know is left out. */
export function filterOf(query: string): Filter {
  const given = new URLSearchParams(query);
  const only = given.get('only');
  const wanted = (given.get('phase') ?? '').split(',');
  return {
    text: given.get('q') ?? '',
    phases: phases.filter((phase) => wanted.includes(phase)),
    family: given.get('family') || undefined,
    namespace: given.get('namespace') || undefined,
    only: only === 'transition' || only === 'needs' ? only : undefined,
  };
}

export function queryOf(filter: Filter): string {
  const query = new URLSearchParams();
  if (filter.text !== '') query.set('q', filter.text);
  if (filter.only !== undefined) query.set('only', filter.only);
  if (filter.phases.length > 0) query.set('phase', filter.phases.join(','));
  if (filter.family !== undefined) query.set('family', filter.family);
  if (filter.namespace !== undefined) query.set('namespace', filter.namespace);
  return query.toString().replaceAll('%2C', ',');
}
