import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importProblems, rules } from './import-rules.ts';

const root = join(import.meta.dirname, '..');
const files = globSync('src/**/*.{ts,tsx}', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .sort();

describe('imports of src/', () => {
  it('go only in the directions of the architecture', () => {
    expect(files).toContain('src/clock/clock.ts');
    expect(files.flatMap((file) => importProblems(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });
});

describe('the checker', () => {
  it.each([
    ['src/kube/a.ts', "import { a } from '../clock/b.ts'"],
    ['src/kube/deep/a.ts', "import { a } from '../b.ts'"],
    ['src/kube/a.ts', "import { z } from 'zod'; import 'node:fs'; const m = await import('yaml')"],
    ['src/portrait/a.ts', "import type { A } from '../kube/b.ts'"],
    ['src/portrait/a.ts', "import { type A, type B } from '../kube/b.ts'"],
    ['src/portrait/a.ts', "export type { A } from '../kube/b.ts'; export type * from '../kube/c.ts'"],
    ['src/portrait/a.ts', "type A = import('../kube/b.ts').A"],
    ['src/control/a.ts', "import { a } from '../kube/b.ts'"],
    ['src/embedded/a.ts', "import { a } from '../control/b.ts'"],
    ['src/flink/decide/a.ts', "import { diff } from '../../change/diff.ts'"],
    ['src/web/a.tsx', "import { a } from '../portrait/b.ts'; const view = <b>bold</b>"],
    ['src/main.ts', "const a = await import('./flink/family.ts'); import { b } from './embedded/b.ts'"],
    ['src/main.ts', "import { version } from '../package.json' with { type: 'json' }"],
  ])('allows %s: %s', (file, source) => {
    expect(importProblems(file, source)).toEqual([]);
  });

  it.each([
    [
      'src/kube/a.ts',
      "import { a } from '../control/b.ts'",
      'src/kube/a.ts imports ../control/b.ts: kube may not import control; it may import clock',
    ],
    ['src/clock/a.ts', "import type { A } from '../kube/b.ts'", 'clock may not import kube; it may import nothing'],
    ['src/schema/a.ts', "import type { A } from '../kube/b.ts'", 'schema may not import kube'],
    ['src/flink/a.ts', "import { a } from '../kudo/b.ts'", 'flink may not import kudo'],
    ['src/kudo/a.ts', "export { a } from '../cloudfoundry/b.ts'", 'kudo may not import cloudfoundry'],
    ['src/cloudfoundry/a.ts', "export * from '../flink/b.ts'", 'cloudfoundry may not import flink'],
    ['src/flink/a.ts', "import { a } from '../embedded/b.ts'", 'flink may not import embedded'],
    ['src/embedded/a.ts', "const a = () => import('../flink/b.ts')", 'embedded may not import flink'],
    ['src/embedded/a.ts', "let a: import('../flink/b.ts').A", 'embedded may not import flink'],
    ['src/embedded/a.ts', "import { a } from '../schema/b.ts'", 'embedded may not import schema'],
    ['src/control/a.ts', "import { a } from '../change/b.ts'", 'control may not import change'],
    ['src/cli/a.ts', "import { a } from '../control/b.ts'", 'cli may not import control'],
    ['src/web/a.ts', "import type { A } from '../kube/b.ts'", 'web may not import kube'],
    ['src/web/a.ts', "import type { A } from '../clock/b.ts'", 'web may not import clock'],
    ['src/portrait/a.ts', "import { A } from '../kube/b.ts'", 'portrait may import only types of kube'],
    ['src/portrait/a.ts', "import { type A, b } from '../kube/b.ts'", 'portrait may import only types of kube'],
    ['src/portrait/a.ts', "import '../kube/b.ts'", 'portrait may import only types of kube'],
    ['src/portrait/a.ts', "import * as b from '../kube/b.ts'", 'portrait may import only types of kube'],
    ['src/portrait/a.ts', "export * from '../kube/b.ts'", 'portrait may import only types of kube'],
    ['src/portrait/a.ts', "export { type A, b } from '../kube/b.ts'", 'portrait may import only types of kube'],
    ['src/kube/a.ts', "import { a } from '../main.ts'", 'kube may not import main.ts'],
    ['src/kube/a.ts', "import { a } from '../../test/b.ts'", 'src/ imports nothing outside of src/'],
    ['src/kube/a.ts', 'const a = await import(name)', 'write the path as a literal'],
    ['src/main.ts', "import { a } from '../test/b.ts'", 'src/ imports nothing outside of src/'],
    ['src/kube/a.ts', "import { a } from '../../package.json'", 'src/ imports nothing outside of src/'],
    ['src/main.ts', "import { a } from './utils/b.ts'", 'utils is no room of the house'],
    ['src/utils/a.ts', '', 'src/utils/a.ts: utils is no room of the house'],
    ['src/other.ts', '', 'src/other.ts: other.ts is no room of the house'],
  ])('refuses %s: %s', (file, source, problem) => {
    const problems = importProblems(file, source);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(file);
    expect(problems[0]).toContain(problem);
  });

  it('finds no circle in the directions themselves', () => {
    const below = (room: string, seen: readonly string[] = []): readonly string[] => {
      expect(seen).not.toContain(room);
      const next = rules[room];
      return typeof next === 'object' ? Object.keys(next).flatMap((other) => below(other, [...seen, room])) : [];
    };
    for (const room of Object.keys(rules)) below(room);
  });
});
