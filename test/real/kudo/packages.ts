import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Packages as people write them. */
export function packageFolder(name: 'store' | 'errand' | 'keys'): string {
  return join(import.meta.dirname, 'packages', name);
}

/** A copy of a package with other text in some of its files, for as long as it is held. */
export function changedPackage(
  folder: string,
  changes: Readonly<Record<string, (text: string) => string>>,
): { readonly folder: string } & Disposable {
  const copy = mkdtempSync(join(tmpdir(), 'cutover-package-'));
  cpSync(folder, copy, { recursive: true });
  for (const [file, change] of Object.entries(changes)) {
    const before = readFileSync(join(copy, file), 'utf8');
    const after = change(before);
    if (after === before) throw new Error(`nothing was changed in ${file}`);
    writeFileSync(join(copy, file), after);
  }
  return { folder: copy, [Symbol.dispose]: () => rmSync(copy, { recursive: true, force: true }) };
}
