/**
 * The state of a counting job: how far its source has read, and how often it saw each key. Record n has key
 * n mod keys; so in a job that lost and doubled nothing, key k was seen `seen(offset, k, keys)` times.
 */
export interface CountState {
  /** Records 0 … offset − 1 have been read. */
  readonly offset: number;
  /** By key, from 0. */
  readonly counts: readonly number[];
}

export const nothingCounted: CountState = { offset: 0, counts: [] };

/** How many of the records 0 … offset − 1 have key `key`. */
export function seen(offset: number, key: number, keys: number): number {
  return Math.max(0, Math.ceil((offset - key) / keys));
}

/** The state after reading on to `offset`. */
export function count(state: CountState, offset: number, keys: number): CountState {
  if (offset <= state.offset && state.counts.length > 0) return state;
  const counts = Array.from(
    { length: Math.max(keys, state.counts.length) },
    (_, key) => (state.counts[key] ?? 0) + (key < keys ? seen(offset, key, keys) - seen(state.offset, key, keys) : 0),
  );
  return { offset: Math.max(offset, state.offset), counts };
}

/** What the arguments of a counting job say; as the rig's job understands them. */
export interface CountProgram {
  /** Records per second. */
  readonly rate: number;
  readonly keys: number;
  readonly label: string;
  readonly name: string | undefined;
  /** Checkpoint interval that the program sets itself, in milliseconds. */
  readonly checkpointMs: number | undefined;
  /** The uid of the counting operator: state under another uid is not its own. */
  readonly countUid: string;
}

/** Reads `--rate 50 --keys 4 --label v1 …`; anything else is not this program's business. */
export function countProgram(words: readonly string[]): CountProgram {
  const values = argumentsOf(words);
  const positive = (name: string, otherwise: number): number => {
    const value = Number(values.get(name));
    return values.has(name) && Number.isFinite(value) && value > 0 ? value : otherwise;
  };
  const interval = positive('checkpoint-ms', 0);
  return {
    rate: Math.min(1_000_000, positive('rate', 10)),
    keys: Math.min(10_000, Math.max(1, Math.trunc(positive('keys', 4)))),
    label: values.get('label') ?? 'v1',
    name: values.get('job-name'),
    checkpointMs: interval > 0 ? interval : undefined,
    countUid: values.get('count-uid') ?? 'keyed-count',
  };
}

/** `--name value` and `--name=value` pairs; a name without a value stands for `true`. */
export function argumentsOf(words: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  words.forEach((word, at) => {
    const match = /^--?([\w-]+)(?:=(.*))?$/.exec(word);
    const next = words[at + 1];
    if (match) found.set(match[1] ?? '', match[2] ?? (next !== undefined && !next.startsWith('--') ? next : 'true'));
  });
  return found;
}
