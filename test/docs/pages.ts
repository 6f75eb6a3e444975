import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/** What is made, fetched or kept locally. */
const notOurs = new Set(['node_modules', 'dist', 'site', 'coverage']);

/** Every page of Markdown in the repository, relative to its root. */
export function allPages(folder = ''): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && (folder !== '' || !notOurs.has(name)))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : allPages(path);
      return entry.name.endsWith('.md') ? [path] : [];
    })
    .sort();
}

export function text(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
