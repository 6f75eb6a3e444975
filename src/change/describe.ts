import type { Change } from './change.ts';
import { line, show } from './show.ts';

/** Longest path that is written in full. */
const longestPath = 160;

export interface DescribeOptions {
  /** How many changes are listed; the rest is counted. All by default. */
  readonly atMost?: number;
}

/**
 * Changes for a person, one line each: `spec.job.parallelism: 2 → 4 (scale)`. Long values are cut, secrets and control
 * characters never appear. The empty string when there are no changes.
 */
export function describe(changes: readonly Change[], { atMost = changes.length }: DescribeOptions = {}): string {
  const lines = changes.slice(0, atMost).map(describeOne);
  const rest = changes.length - lines.length;
  return [...lines, ...(rest > 0 ? [`… and ${rest} more`] : [])].join('\n');
}

function describeOne({ path, from, to, demands }: Change): string {
  const where = path.length > longestPath ? `${path.slice(0, longestPath - 1)}…` : path;
  return `${line(where)}: ${show(from)} → ${show(to)} (${demands.replaceAll('-', ' ')})`;
}
