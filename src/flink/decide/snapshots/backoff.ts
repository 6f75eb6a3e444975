const firstMs = 10_000;

/** The upstream doubles without end; after two dozen failures nobody would live to see the next try. */
const longestMs = 600_000;

/** How long to wait after the `failures`-th failure in a row: 10 s, 20 s, 40 s …, at most ten minutes. */
export function backoffMs(failures: number): number {
  return Math.min(firstMs * 2 ** Math.max(0, failures - 1), longestMs);
}
