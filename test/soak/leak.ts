/** What a process held at one moment. */
export interface Sample {
  /** Since the beginning of the soak. */
  readonly ms: number;
  readonly heapBytes: number;
  readonly residentBytes: number;
  /** Sockets, timers, files and the like that keep the event loop alive. */
  readonly handles: number;
}

export interface Growth {
  readonly what: string;
  readonly from: number;
  readonly to: number;
  /** By how much it may have grown. */
  readonly most: number;
}

/** The part of the run that is for warming up: code is compiled, pools and histories fill. */
const warmUp = 0.3;
/** Less than this is noise, whatever its share. */
const leastBytes = 8 * 1024 * 1024;
const leastHandles = 16;
/** Fewer warm samples than this say nothing. */
const leastSamples = 12;
const share = 0.15;

/**
 * What has grown more than it may since the process was warm, by comparing thirds of the rest of the run.
 *
 * Memory goes up and down with garbage: what is held is the least that is seen in a while, and of several such lows the
 * middle one counts. Empty when all is well, also when there are too few samples to tell.
 */
export function growthOf(samples: readonly Sample[]): readonly Growth[] {
  const warm = warmOnes(samples);
  if (!isEnough(samples)) return [];
  const third = Math.floor(warm.length / 3);
  const [early, late] = [warm.slice(0, third), warm.slice(-third)];
  const measures = [
    { what: 'heap', of: (one: Sample) => one.heapBytes, least: leastBytes },
    { what: 'resident memory', of: (one: Sample) => one.residentBytes, least: 2 * leastBytes },
    { what: 'handles', of: (one: Sample) => one.handles, least: leastHandles },
  ];
  return measures.flatMap(({ what, of, least }) => {
    const [from, to] = [low(early.map(of)), low(late.map(of))];
    const most = from + Math.max(least, from * share);
    return to > most ? [{ what, from, to, most }] : [];
  });
}

/** Whether there are samples enough to tell a leak from chance; one that could not be taken counts for nothing. */
export function isEnough(samples: readonly Sample[]): boolean {
  return warmOnes(samples).filter(({ heapBytes }) => Number.isFinite(heapBytes)).length >= leastSamples;
}

function warmOnes(samples: readonly Sample[]): readonly Sample[] {
  const end = samples.at(-1)?.ms ?? 0;
  return samples.filter(({ ms }) => ms >= end * warmUp);
}

/** The middle one of the lows of several stretches. */
function low(values: readonly number[]): number {
  const stretch = Math.max(1, Math.floor(values.length / 4));
  const lows: number[] = [];
  for (let at = 0; at + stretch <= values.length; at += stretch) lows.push(Math.min(...values.slice(at, at + stretch)));
  return lows.sort((a, b) => a - b)[Math.floor(lows.length / 2)] ?? 0;
}

/** By how much something grows in an hour, by the middle slope of all pairs: one outlier changes nothing. */
export function perHour(samples: readonly Sample[], of: (one: Sample) => number): number {
  const warm = warmOnes(samples);
  const slopes: number[] = [];
  for (const [at, one] of warm.entries()) {
    for (const other of warm.slice(at + 1)) slopes.push((of(other) - of(one)) / (other.ms - one.ms));
  }
  slopes.sort((a, b) => a - b);
  return (slopes[Math.floor(slopes.length / 2)] ?? 0) * 3_600_000;
}
