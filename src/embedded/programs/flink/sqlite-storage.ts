import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { DataError } from '../../store/journal.ts';
import type { ObjectStorage } from './storage.ts';

/** A storage that outlives the process. */
export interface DurableStorage extends ObjectStorage {
  close(): void;
}

/**
 * Opens or creates the storage of a durable cluster in its data directory, which the caller has made and locked.
 *
 * @throws DataError when the file cannot be used
 */
export async function openStorage(directory: string): Promise<DurableStorage> {
  // Loaded only here: who keeps nothing should not pay for SQLite.
  const { DatabaseSync } = await import('node:sqlite');
  const file = join(directory, 'storage.db');
  let database: DatabaseSync | undefined;
  try {
    closeSync(openSync(file, 'a', 0o600));
    database = new DatabaseSync(file);
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      CREATE TABLE IF NOT EXISTS file (path TEXT PRIMARY KEY, content TEXT NOT NULL) WITHOUT ROWID`);
    return new SqliteStorage(database);
  } catch (error) {
    database?.close();
    throw new DataError(`${file} cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

class SqliteStorage implements DurableStorage {
  readonly #database: DatabaseSync;
  readonly #read: StatementSync;
  readonly #write: StatementSync;
  readonly #remove: StatementSync;
  readonly #list: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#read = database.prepare('SELECT content FROM file WHERE path = ?');
    this.#write = database.prepare(
      'INSERT INTO file VALUES (?, ?) ON CONFLICT DO UPDATE SET content = excluded.content',
    );
    this.#remove = database.prepare('DELETE FROM file WHERE path = ?');
    this.#list = database.prepare('SELECT path FROM file WHERE substr(path, 1, length(?1)) = ?1 ORDER BY path');
  }

  read(path: string): string | undefined {
    return this.#read.get(path)?.content as string | undefined;
  }

  write(path: string, content: string): void {
    this.#write.run(path, content);
  }

  remove(path: string): void {
    this.#remove.run(path);
  }

  list(prefix: string): readonly string[] {
    return this.#list.all(prefix).map(({ path }) => path as string);
  }

  close(): void {
    this.#database.close();
  }
}
