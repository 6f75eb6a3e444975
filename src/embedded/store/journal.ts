/** Data that cannot be used, or not be written, in one line that says which and why. */
export class DataError extends Error {
  override readonly name = 'DataError';
}

/** What is written down of one write. */
export interface JournalRecord {
  readonly bucket: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  /** Absent for a deletion. */
  readonly json: string | undefined;
}

/** Where the store keeps its objects beyond the life of the process. */
export interface Journal {
  /** Everything that was written and not deleted, and the last revision given out. Called once, before any `append`. */
  load(): { readonly revision: number; readonly records: Iterable<JournalRecord & { readonly json: string }> };
  /**
   * Returns when the write survives the death of the process.
   *
   * @throws DataError when it could not be written: then it never was, and the next write may succeed
   */
  append(record: JournalRecord): void;
  close(): void;
}
