import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Attempt, attemptsIn, type Count, flawsIn } from '../../../rig/flink/counts.ts';
import { KEYS, type Volume } from '../flink/volume.ts';

/** One job of a resource: a side in one of its lives. */
export interface Life extends Attempt {
  /** What is wrong with what it counted. */
  readonly flaws: readonly string[];
  /** How often Flink itself has restarted it. */
  readonly restarts: number;
}

/**
 * The jobs that ever counted under a label, in the order in which they began. Both sides of a resource have the same
 * arguments and write to one file, at the same time while one takes over from the other: each job is looked at by itself.
 */
export function livesOf(volume: Volume, label: string): readonly Life[] {
  const file = join(volume.directory, 'out', `${label}.jsonl`);
  // The last line may still be being written.
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  const byJob = Map.groupBy(lines, (line) => (JSON.parse(line) as Count).job);
  return [...byJob.values()].flatMap((mine) => {
    const text = mine.map((line) => `${line}\n`).join('');
    const attempts = attemptsIn(text);
    const [first] = attempts;
    const last = attempts.at(-1);
    if (!first || !last) return [];
    return [
      {
        job: first.job,
        first: first.first,
        last: last.last,
        flaws: flawsIn(text, KEYS),
        restarts: attempts.length - 1,
      },
    ];
  });
}
