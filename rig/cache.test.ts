import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cached, entryName, filesUnder, pruneCache, type Recipe } from './cache.ts';
import { silent } from './progress.ts';

let cache: string;
beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'rig-cache-'));
});
afterEach(() => rm(cache, { recursive: true }));

function recipe(make: Recipe['make'], inputs: readonly string[] = ['a']): Recipe {
  return { name: 'part', version: '1.2', inputs, make };
}

describe('the name of a cache entry', () => {
  it('says what it is and changes with every input', () => {
    const of = (...inputs: string[]) => entryName({ name: 'part', version: '1.2', inputs });
    expect(of('a')).toMatch(/^part-1\.2-[0-9a-f]{12}$/);
    expect(new Set([of('a'), of('b'), of('a', ''), of('ab'), of('a', 'b')]).size).toBe(5);
  });

  it('depends on the names and contents of files', async () => {
    await writeFile(join(cache, 'x'), '1');
    const before = filesUnder(cache);
    await writeFile(join(cache, 'x'), '2');
    expect(filesUnder(cache)).not.toEqual(before);
    expect(filesUnder(cache)).toEqual(['x\n2']);
  });
});

describe.runIf(process.platform === 'linux')('the cache', () => {
  it('makes an entry once, also when several want it at the same time', async () => {
    let made = 0;
    const one = recipe(async (directory) => {
      made += 1;
      await writeFile(join(directory, 'file'), 'content');
    });
    const [first, second] = await Promise.all([cached(cache, one, silent), cached(cache, one, silent)]);
    expect(await cached(cache, one, silent)).toBe(first);
    expect(second).toBe(first);
    expect(made).toBe(1);
    expect(await readFile(join(first, 'file'), 'utf8')).toBe('content');
  });

  it('keeps nothing of an entry whose making failed', async () => {
    const failing = recipe(async (directory) => {
      await writeFile(join(directory, 'half'), '');
      throw new Error('no network');
    });
    await expect(cached(cache, failing, silent)).rejects.toThrow('no network');
    expect(existsSync(join(cache, entryName(failing)))).toBe(false);
    const entry = await cached(
      cache,
      recipe((directory) => writeFile(join(directory, 'whole'), '')),
      silent,
    );
    expect(readdirSync(entry)).toEqual(['whole']);
  });

  it('does not count what a run that was cut off left half-written', async () => {
    const one = recipe((directory) => writeFile(join(directory, 'whole'), ''));
    await mkdir(join(cache, `${entryName(one)}.partial`));
    await writeFile(join(cache, `${entryName(one)}.partial`, 'half'), '');
    expect(readdirSync(await cached(cache, one, silent))).toEqual(['whole']);
  });

  it('prunes what is no longer used', async () => {
    const make: Recipe['make'] = (directory) => writeFile(join(directory, 'file'), '');
    const used = recipe(make);
    const old = recipe(make, ['old']);
    await cached(cache, used, silent);
    await cached(cache, old, silent);
    expect(await pruneCache(cache, new Set([entryName(used)]))).toEqual([entryName(old)]);
    expect(existsSync(join(cache, entryName(used)))).toBe(true);
    expect(existsSync(join(cache, entryName(old)))).toBe(false);
  });
});
