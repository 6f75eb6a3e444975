/** A line that the counting job wrote: the record it had just counted. */
export interface Count {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The job's id. */
  readonly job: string;
  /** The first record since the job was started, or restarted by Flink itself. */
  readonly first: boolean;
  readonly key: number;
  readonly value: number;
  readonly count: number;
}

/** One life of the job, from a start to whatever ended it. */
export interface Attempt {
  readonly job: string;
  /** The very first record of this life: where the state it started from ends. */
  readonly first: Count;
  readonly last: Count;
}

/** The lives of a job, oldest first, from its lines. A last line that is still being written is left out. */
export function attemptsIn(text: string): readonly Attempt[] {
  const attempts: Attempt[] = [];
  for (const line of text.split('\n').slice(0, -1)) {
    const count = JSON.parse(line) as Count;
    const current = attempts.at(-1);
    if (count.first || current === undefined) attempts.push({ job: count.job, first: count, last: count });
    else attempts[attempts.length - 1] = { ...current, last: count };
  }
  return attempts;
}

/**
 * What is wrong with a job's lines, in words; nothing, if no record was ever lost or counted twice. The position of the
 * source and the counts are one state: they fit together, or state was restored in part or twice. And two lives never
 * overlap, or two jobs wrote at the same time.
 */
export function flawsIn(text: string, keys: number): readonly string[] {
  const flaws: string[] = [];
  let before: Count | undefined;
  for (const line of text.split('\n').slice(0, -1)) {
    const count = JSON.parse(line) as Count;
    const expected = (count.value - count.key) / keys + 1;
    if (count.count !== expected) flaws.push(`the count should be ${expected}: ${line}`);
    if (before !== undefined && !count.first) {
      if (count.job !== before.job) flaws.push(`two jobs write at the same time: ${line}`);
      else if (count.value <= before.value) flaws.push(`the job went back without a restart: ${line}`);
    }
    before = count;
  }
  return flaws;
}
