import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { familyNames } from '../../../src/main/families.ts';
import { finalizersOf } from '../../../src/main/uninstall.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** The sources of a family, without what only tests read. */
function sources(family: string): readonly (readonly [file: string, text: string])[] {
  return globSync(`src/${family}/**/*.ts`, { cwd: root })
    .filter((file) => !/\.(test|fixture)\.ts$/.test(file))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const);
}

/** Texts that constants with "finalizer" in their name stand for: one, or an object of them. */
function declared(text: string): readonly string[] {
  const constants = text.matchAll(/const \w*finalizers?\w* = ('[^']+'|\{[^}]*\})/gi);
  return [...constants].flatMap(([, value = '']) =>
    [...value.matchAll(/'([^' ]+[./][^' ]+)'/g)].map(([, one = '']) => one),
  );
}

/** Places where a finalizer is put on an object without a name: `declared` would not find it. */
function anonymous([file, text]: readonly [string, string]): readonly string[] {
  const uses = text.matchAll(/(addFinalizer\([^)]*'|\bfinalizers?: (\[\s*)?')[^\n]*/g);
  return [...uses].map(([line]) => `${file}: ${line}`);
}

describe('an uninstall', () => {
  it.each(familyNames)('knows every finalizer of %s', async (family) => {
    const known = (await finalizersOf([family])).map(({ finalizer }) => finalizer);
    const used = sources(family).flatMap(([, text]) => declared(text));
    expect(used.length).toBeGreaterThan(0);
    expect([...new Set(known)].sort()).toEqual([...new Set(used)].sort());
    expect(sources(family).flatMap(anonymous)).toEqual([]);
  });

  it('would not overlook a new one', () => {
    expect(declared("export const newFinalizer = 'kudo.dev/new';")).toEqual(['kudo.dev/new']);
    expect(declared("const finalizers = {\n  a: 'x.y',\n  'b c': 'z/w',\n} as const")).toEqual(['x.y', 'z/w']);
    expect(anonymous(['a.ts', "addFinalizer(object, 'x.y')"])).toHaveLength(1);
    expect(anonymous(['a.ts', "metadata: { finalizers: ['x.y'] }"])).toHaveLength(1);
    expect(anonymous(['a.ts', 'furnished(object, { finalizer: finalizers.app })'])).toEqual([]);
  });
});
