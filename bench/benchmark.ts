/** One figure. `null` means it was not measured. */
export interface Row {
  readonly metric: string;
  readonly unit: string;
  readonly ours: number;
  readonly peer: number | null;
  readonly peerName: string | null;
  /** Ours divided by the peer's. Of several runs: the median of the ratios, each of two runs that followed each other. */
  readonly ratio: number | null;
  /** In words: `≤ 0.5×`. Empty when the figure is shown without a goal. */
  readonly goal: string;
  readonly holds: boolean | null;
}

export interface BenchmarkOptions {
  /** The command that runs the peer. Without it the peer's columns stay empty. */
  readonly peer?: string;
  /** Tiny sizes: to show that the benchmark runs, not to measure. */
  readonly smoke: boolean;
  /** Says what is going on. */
  progress(line: string): void;
}

export interface Benchmark {
  readonly name: string;
  /** One sentence: what is measured, against what. */
  readonly about: string;
  run(options: BenchmarkOptions): Promise<Row[]>;
}

/** A row whose goal is a bound on the ratio to the peer: `{ most: 0.5 }` or `{ least: 1.5 }`. */
export function ratioRow(
  figure: { readonly metric: string; readonly unit: string; readonly ours: number },
  peer: { readonly name: string; readonly value: number; readonly ratio?: number } | undefined,
  goal: { readonly most: number } | { readonly least: number },
): Row {
  const words = 'most' in goal ? `≤ ${goal.most}×` : `≥ ${goal.least}×`;
  if (!peer) return { ...figure, peer: null, peerName: null, ratio: null, goal: words, holds: null };
  const ratio = peer.ratio ?? figure.ours / peer.value;
  const holds = 'most' in goal ? ratio <= goal.most : ratio >= goal.least;
  return { ...figure, peer: peer.value, peerName: peer.name, ratio, goal: words, holds };
}

/** The middle one; of an even number the lower of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}
