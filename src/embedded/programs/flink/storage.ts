/**
 * What pods reach as `s3://`, `hdfs://`, `file://` …: one store for a whole embedded cluster, beyond the life of any
 * pod. Contents are JSON texts under normal paths.
 */
export interface ObjectStorage {
  read(path: string): string | undefined;
  write(path: string, content: string): void;
  remove(path: string): void;
  /** All paths that begin so, in order. */
  list(prefix: string): readonly string[];
}

/** Gone with the process. */
export class MemoryStorage implements ObjectStorage {
  readonly #files = new Map<string, string>();

  read(path: string): string | undefined {
    return this.#files.get(path);
  }

  write(path: string, content: string): void {
    this.#files.set(path, content);
  }

  remove(path: string): void {
    this.#files.delete(path);
  }

  list(prefix: string): readonly string[] {
    return [...this.#files.keys()].filter((path) => path.startsWith(prefix)).sort();
  }
}

/**
 * A path as Flink prints it: no doubled or trailing slashes, an empty authority left out. `file:///a//b/` is
 * `file:/a/b`, `s3://bucket/a/` is `s3://bucket/a`, `/a` is `file:/a`.
 */
export function normalPath(path: string): string {
  const match = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/]*))?(.*)$/i.exec(path.trim());
  const [scheme, authority, rest] = match ? [match[1], match[2] ?? '', match[3] ?? ''] : ['file', '', path.trim()];
  const clean = `/${rest.split('/').filter(Boolean).join('/')}`;
  const shown = clean === '/' && authority ? '' : clean;
  return authority ? `${scheme}://${authority}${shown}` : `${scheme}:${shown}`;
}

/** The part before the colon; `file` for a bare path. */
export function schemeOf(path: string): string {
  return /^([a-z][a-z0-9+.-]*):/i.exec(path)?.[1] ?? 'file';
}
