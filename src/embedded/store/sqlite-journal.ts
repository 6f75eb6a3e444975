import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { DataError, type Journal, type JournalRecord } from './journal.ts';

/** Tells our file from any other database, and this layout from later ones (`PRAGMA application_id`, `user_version`). */
const applicationId = 0x43757430;
const format = 1;

/**
 * Opens or creates the journal in `directory`.
 *
 * Guarantees: a write that returned is found again after `kill -9` of the process (not after a power cut: the file is
 * synchronised only when SQLite folds its log into it). One process at a time: the file stays locked until `close`,
 * or until the process dies.
 *
 * @throws DataError when the directory is not writable, is in use, or holds something that is not ours or is damaged
 */
export async function openJournal(directory: string): Promise<Journal> {
  // Loaded only here: who keeps nothing should not pay for SQLite.
  const { DatabaseSync } = await import('node:sqlite');
  const file = join(directory, 'cutover.db');
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // It holds Secrets: nobody else may read it, whoever may enter the directory. SQLite's other files follow it.
    closeSync(openSync(file, 'a', 0o600));
    database = new DatabaseSync(file, { timeout: 0 });
    prepare(database, file);
    return new SqliteJournal(database, file);
  } catch (error) {
    database?.close();
    throw explain(error, file);
  }
}

function prepare(database: DatabaseSync, file: string): void {
  database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  const [id, version] = ['application_id', 'user_version'].map(
    (name) => database.prepare(`PRAGMA ${name}`).get()?.[name] as number,
  );
  const tables = database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n as number;
  if (tables > 0 && id !== applicationId) throw new DataError(`${file} is not a cutover database`);
  if (tables > 0 && version !== format) {
    throw new DataError(`${file} has format ${version}, this program reads format ${format}`);
  }
  const health = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (health !== 'ok') throw new DataError(`${file} is damaged: ${health}`);
  // Taking the write lock at once is what keeps a second process out, even one that would only read at first.
  database.exec(`
    BEGIN IMMEDIATE;
    PRAGMA application_id = ${applicationId};
    PRAGMA user_version = ${format};
    CREATE TABLE IF NOT EXISTS object (
      bucket TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
      revision INTEGER NOT NULL, json TEXT NOT NULL, PRIMARY KEY (bucket, namespace, name));
    CREATE TABLE IF NOT EXISTS deletion (id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL);
    INSERT OR IGNORE INTO deletion VALUES (1, 0);
    COMMIT;`);
}

class SqliteJournal implements Journal {
  readonly #database: DatabaseSync;
  readonly #file: string;
  readonly #put: StatementSync;
  readonly #delete: StatementSync;
  readonly #deleted: StatementSync;

  constructor(database: DatabaseSync, file: string) {
    this.#database = database;
    this.#file = file;
    this.#put = database.prepare(`INSERT INTO object VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET revision = excluded.revision, json = excluded.json`);
    this.#delete = database.prepare('DELETE FROM object WHERE bucket = ? AND namespace = ? AND name = ?');
    this.#deleted = database.prepare('UPDATE deletion SET revision = ?');
  }

  load(): { readonly revision: number; readonly records: Iterable<JournalRecord & { readonly json: string }> } {
    // A deletion leaves no row that could carry its revision, so the last one is kept apart.
    const last = this.#database
      .prepare('SELECT max(coalesce((SELECT max(revision) FROM object), 0), revision) AS revision FROM deletion')
      .get();
    const records = this.#database
      .prepare('SELECT bucket, namespace, name, revision, json FROM object')
      .iterate() as Iterable<unknown> as Iterable<JournalRecord & { readonly json: string }>;
    return { revision: Number(last?.revision), records };
  }

  append({ bucket, namespace, name, revision, json }: JournalRecord): void {
    try {
      if (json !== undefined) {
        this.#put.run(bucket, namespace, name, revision, json);
        return;
      }
      this.#database.exec('BEGIN');
      this.#delete.run(bucket, namespace, name);
      this.#deleted.run(revision);
      this.#database.exec('COMMIT');
    } catch (error) {
      // After some failures SQLite has already rolled back by itself.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw explain(error, this.#file);
    }
  }

  close(): void {
    this.#database.close();
  }
}

/** SQLite's result codes that a person can do something about. */
const reasons: Readonly<Record<number, string>> = {
  5: 'is in use by another process',
  8: 'is read-only',
  10: 'cannot be read or written',
  11: 'is damaged',
  13: 'cannot grow: the disk is full',
  14: 'cannot be opened',
  26: 'is not a cutover database',
};

function explain(error: unknown, file: string): DataError {
  if (error instanceof DataError) return error;
  const { errcode, message } = error as { readonly errcode?: number; readonly message: string };
  const reason = errcode === undefined ? undefined : reasons[errcode & 0xff];
  return new DataError(reason ? `${file} ${reason}` : `${file}: ${message}`, { cause: error });
}
