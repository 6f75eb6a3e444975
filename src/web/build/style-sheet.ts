import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * All of `styles/` as one sheet. Each file puts its rules into a cascade layer, and the order of layers is fixed here, so the order of
 * files means nothing. Comments and indentation are left out; anything cleverer gains nothing after gzip.
 */
export function styleSheet(folder: string): string {
  const parts = globSync('*.css', { cwd: folder })
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  return ['@layer tokens,base,parts,screens,narrow;', ...parts]
    .join('\n')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s*\n\s*/g, '\n')
    .replace(/\s*([{};,])\s*/g, '$1')
    .trim();
}
