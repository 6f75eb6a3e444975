/**
 * `node test/mutate.ts --path src/kudo/template --count 60 --seed 1`: how much the tests of a folder notice.
 *
 * Takes so many places in its sources by chance, breaks one at a time and runs the tests. A mutant that no test notices
 * survives: either a test is missing, or the code at that place does not matter. It works in a copy of the tree.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { type BinaryExpression, type LogicalExpression, parseSync, Visitor } from 'oxc-parser';

const USAGE = 'usage: node test/mutate.ts --path FOLDER [--count N] [--seed N] [--tests PATH…]';
const ROOT = dirname(import.meta.dirname);

/** Tests that take longer than this hang: an endless loop is noticed, too. */
const LONGEST_RUN_MS = 180_000;

const OPPOSITES: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};

/** A change of a source: what is from `start` to `end` becomes `by`. */
interface Mutant {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

interface Task {
  readonly path: string;
  readonly count: number;
  readonly seed: number;
  /** What vitest is asked to run. */
  readonly tests: readonly string[];
}

function main(args: string[]): void {
  const task = taskOf(args);
  const all = sourcesOf(task.path).flatMap((file) => mutantsOf(file, readFileSync(join(ROOT, file), 'utf8')));
  if (all.length === 0) throw new Error(`${task.path} has no sources`);
  const sample = sampled(all, task.count, task.seed);
  const copy = copyOfTree();
  try {
    if (!passes(copy, task.tests)) throw new Error(`the tests fail as they are: vitest run ${task.tests.join(' ')}`);
    console.log(`${all.length} mutants of ${task.path}, of which ${sample.length} are tried`);
    let killed = 0;
    for (const [index, mutant] of sample.entries()) {
      if (!survives(copy, mutant, task.tests)) killed += 1;
      if (index % 10 === 9) console.log(`${killed} of ${index + 1}`);
    }
    console.log(`${killed} of ${sample.length} were noticed: ${((100 * killed) / sample.length).toFixed(1)} %`);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function taskOf(args: string[]): Task {
  const { values } = parseArgs({
    args,
    options: {
      path: { type: 'string' },
      count: { type: 'string', default: '60' },
      seed: { type: 'string', default: '1' },
      tests: { type: 'string', multiple: true, default: [] },
    },
  });
  const [count, seed] = [Number(values.count), Number(values.seed)];
  if (!values.path || !(count >= 1) || !Number.isInteger(seed)) throw new Error(USAGE);
  const path = relative(ROOT, join(process.cwd(), values.path));
  return { path, count, seed, tests: [path, ...values.tests] };
}

function sourcesOf(path: string): readonly string[] {
  const files = globSync([path, `${path}/**/*.ts`], { cwd: ROOT }).filter((file) => file.endsWith('.ts'));
  return files.filter((file) => !/\.(?:test|fixture|d)\.ts$/.test(file)).sort();
}

/** Every place that can be broken: operators, conditions, constants, negations, and calls for their effect. */
function mutantsOf(file: string, text: string): readonly Mutant[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const mutants: Mutant[] = [];
  const add = (start: number, end: number, by: string): void => void mutants.push({ file, start, end, by });
  /** Literals that only types or imports are made of. They are met after what they are part of. */
  const idle = new Set<number>();
  const operator = ({ left, right, operator: sign }: BinaryExpression | LogicalExpression): void => {
    const opposite = OPPOSITES[sign];
    const at = text.indexOf(sign, left.end);
    if (opposite !== undefined && at < right.start) add(at, at + sign.length, opposite);
  };
  const condition = ({ test }: { readonly test: { readonly start: number; readonly end: number } }): void => {
    add(test.start, test.end, 'true');
    add(test.start, test.end, 'false');
  };
  new Visitor({
    TSLiteralType: ({ literal }) => void idle.add(literal.start),
    ImportDeclaration: ({ source }) => void idle.add(source.start),
    ExportNamedDeclaration: ({ source }) => void (source && idle.add(source.start)),
    ExportAllDeclaration: ({ source }) => void idle.add(source.start),
    BinaryExpression: operator,
    LogicalExpression: operator,
    IfStatement: condition,
    ConditionalExpression: condition,
    UnaryExpression: ({ operator: sign, start, argument }) => {
      if (sign === '!') add(start, argument.start, '');
    },
    ExpressionStatement: ({ expression, start, end }) => {
      if (expression.type === 'CallExpression') add(start, end, ';');
    },
    Literal({ value, start, end }) {
      if (idle.has(start)) return;
      if (typeof value === 'boolean') add(start, end, String(!value));
      else if (typeof value === 'number') add(start, end, String(value + 1));
      else if (typeof value === 'string' && value !== '') add(start, end, "''");
    },
  }).visit(program);
  return mutants;
}

/** So many of them, each as likely as any other and none twice: the same ones for the same seed. */
function sampled(mutants: readonly Mutant[], count: number, seed: number): readonly Mutant[] {
  const random = randomOf(seed);
  const left = [...mutants];
  const sample: Mutant[] = [];
  while (sample.length < count && left.length > 0) {
    sample.push(...left.splice(Math.floor(random() * left.length), 1));
  }
  return sample;
}

/** Mulberry32: numbers from 0 to below 1. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function copyOfTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'cutover-mutants-'));
  const left = new Set(['node_modules', '.git', 'dist'].map((name) => join(ROOT, name)));
  cpSync(ROOT, copy, { recursive: true, filter: (source) => !left.has(source) });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Tries the tests beside the source first: most mutants fall there. */
function survives(copy: string, mutant: Mutant, tests: readonly string[]): boolean {
  const { file, start, end, by } = mutant;
  const text = readFileSync(join(copy, file), 'utf8');
  writeFileSync(join(copy, file), text.slice(0, start) + by + text.slice(end));
  const isAlive = passes(copy, [dirname(file)]) && passes(copy, tests);
  writeFileSync(join(copy, file), text);
  if (isAlive) {
    const line = text.slice(0, start).split('\n').length;
    const change = `${text.slice(start, end).replaceAll(/\s+/g, ' ')} → ${by || 'nothing'}`;
    console.log(`survived: ${file}:${line}: ${change}`);
  }
  return isAlive;
}

function passes(copy: string, tests: readonly string[]): boolean {
  const options = ['run', ...tests, '--bail', '1', '--passWithNoTests', '--reporter', 'dot'];
  const vitest = join(copy, 'node_modules', 'vitest', 'vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, ...options], {
    cwd: copy,
    stdio: 'ignore',
    timeout: LONGEST_RUN_MS,
  });
  return status === 0;
}

try {
  main(process.argv.slice(2));
} catch (error) {
  console.error(`mutate: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
