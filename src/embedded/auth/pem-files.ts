import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Named texts that are kept: in a directory, or only in memory. */
export interface PemFiles {
  read(name: string): string | undefined;
  write(name: string, text: string): void;
}

/** Files in `directory`, written aside and renamed, readable by their owner only; in memory without a directory. */
export function pemFiles(directory: string | undefined): PemFiles {
  if (directory === undefined) {
    const texts = new Map<string, string>();
    return { read: (name) => texts.get(name), write: (name, text) => void texts.set(name, text) };
  }
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return {
    read(name) {
      try {
        return readFileSync(join(directory, name), 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    write(name, text) {
      const aside = join(directory, `.${name}.${process.pid}`);
      writeFileSync(aside, text, { mode: 0o600 });
      renameSync(aside, join(directory, name));
    },
  };
}
