import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { withLock } from './lock.ts';
import type { Progress } from './progress.ts';

/** How something worth keeping is made. */
export interface Recipe {
  readonly name: string;
  readonly version: string;
  /** Everything else the result depends on; another input is another entry. */
  readonly inputs: readonly string[];
  /** Fills an empty directory. Whatever it leaves there is the entry. */
  make(directory: string): Promise<void>;
}

const LOCKS = 'locks';

/** The directory name of a recipe's entry: readable first, exact at the end. */
export function entryName(recipe: Pick<Recipe, 'name' | 'version' | 'inputs'>): string {
  const hash = createHash('sha256');
  for (const part of [recipe.name, recipe.version, ...recipe.inputs]) hash.update(`${part.length}:${part}`);
  return `${recipe.name}-${recipe.version}-${hash.digest('hex').slice(0, 12)}`;
}

/**
 * The directory with the recipe's result, made now if it is not there yet.
 *
 * Guarantees: an entry is complete or absent, because it is made aside and renamed; two processes that want the same
 * entry make it once.
 */
export async function cached(cache: string, recipe: Recipe, progress: Progress): Promise<string> {
  const entry = join(cache, entryName(recipe));
  if (existsSync(entry)) return entry;
  const onWait = (): void => progress.note(`${recipe.name} ${recipe.version}: another run is making it, waiting`);
  return withLock(await lockFor(cache, entryName(recipe)), onWait, async () => {
    if (existsSync(entry)) return entry;
    const aside = `${entry}.partial`;
    await rm(aside, { recursive: true, force: true }); // of a run that was cut off; we hold the lock, so nobody writes it
    await mkdir(aside);
    await recipe.make(aside);
    await rename(aside, entry);
    return entry;
  });
}

/** Removes every entry that is not in `keep` (names as of `entryName`) and returns the names of what went. */
export async function pruneCache(cache: string, keep: ReadonlySet<string>): Promise<readonly string[]> {
  if (!existsSync(cache)) return [];
  const names = (await readdir(cache)).filter((name) => name !== LOCKS);
  const stale = names.filter((name) => !keep.has(name.replace(/\.partial$/, '')));
  for (const name of stale) {
    const lock = await lockFor(cache, name.replace(/\.partial$/, ''));
    await withLock(
      lock,
      () => {},
      () => rm(join(cache, name), { recursive: true, force: true }),
    );
  }
  return stale;
}

/** Lock files stay: one that is removed while somebody waits for it would be two locks. */
async function lockFor(cache: string, entry: string): Promise<string> {
  await mkdir(join(cache, LOCKS), { recursive: true });
  return join(cache, LOCKS, entry);
}

/** The names and contents of all files under a directory, in a fixed order: an input for a recipe. */
export function filesUnder(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => `${relative(directory, file)}\n${readFileSync(file, 'utf8')}`);
}
