import type { Run } from './run.ts';

/** Records `from` … `to − 1`. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** What became of the records of a source that several runs have read, one after the other or at once. */
export interface Audit {
  /** One past the last record that anyone has read. */
  readonly end: number;
  /** Never read by anyone. */
  readonly lost: readonly Interval[];
  /** Read by more than one run: what a restart from an older state repeats, or two jobs at once. */
  readonly doubled: readonly Interval[];
  /** Runs that began without state although others had read before: they count from zero again. */
  readonly startedEmpty: number;
}

/** Looks at all intervals that the runs have read, as of now. */
export function audit(runs: readonly Run[]): Audit {
  const read = runs.map(({ from, to }) => ({ from, to })).filter(({ from, to }) => to > from);
  const edges = [...new Set(read.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  const pieces = [0, ...edges.filter((edge) => edge > 0)];
  const lost: Interval[] = [];
  const doubled: Interval[] = [];
  for (let at = 0; at + 1 < pieces.length; at++) {
    const piece = { from: pieces[at] ?? 0, to: pieces[at + 1] ?? 0 };
    const readers = read.filter(({ from, to }) => from <= piece.from && piece.to <= to).length;
    if (readers === 0) extend(lost, piece);
    if (readers > 1) extend(doubled, piece);
  }
  const startedEmpty = runs.filter((run, at) => run.origin.restoredFrom === undefined && at > 0).length;
  return { end: pieces.at(-1) ?? 0, lost, doubled, startedEmpty };
}

function extend(list: Interval[], piece: Interval): void {
  const last = list.at(-1);
  if (last && last.to === piece.from) list[list.length - 1] = { from: last.from, to: piece.to };
  else list.push(piece);
}
