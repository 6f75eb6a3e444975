import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { licencesPage, sbomPage } from './security-docs.ts';
import { importsOf, isAllowed, type Lock, packagesImported, shippedPackages } from './shipped-packages.ts';

const root = join(import.meta.dirname, '..');
const page = text('docs/security/README.md');

function text(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Cells of the rows of every table in a part of the page, heads left out. */
function rowsOf(part: string): string[][] {
  const lines = part.split('\n');
  return lines
    .filter((line, at) => line.startsWith('| ') && !line.startsWith('| ---') && !lines[at + 1]?.startsWith('| ---'))
    .map((line) => line.slice(2, -2).split(' | '));
}

function section(title: string): string {
  const [, rest = ''] = page.split(`\n## ${title}\n`);
  return rest.split('\n## ', 1)[0] ?? '';
}

const threats = rowsOf(section('Threats'));

/** What a cell names: files of tests, each with the names of tests in it. `…` stands for what a table of cases puts there. */
function proofsIn(cell: string): readonly { readonly file: string; readonly names: readonly string[] }[] {
  return cell.split('; `').map((proof) => ({
    file: /^`?([\w/.-]+)`/.exec(proof)?.[1] ?? proof,
    names: [...proof.matchAll(/\*([^*]+)\*/g)].map(([, name = '']) => name),
  }));
}

/** What is wrong with the proofs of a cell; nothing, if every test that it names is there. */
function faultsOf(cell: string): readonly string[] {
  return proofsIn(cell).flatMap(({ file, names }) => {
    if (!file.endsWith('.test.ts') || !existsSync(join(root, file))) return [`${file} is no test`];
    if (names.length === 0) return [`no test of ${file} is named`];
    const source = text(file);
    const gone = names.filter((name) => !name.split(' … ').every((piece) => source.includes(piece)));
    return gone.map((name) => `${file} has no test "${name}"`);
  });
}

describe('the catalogue of threats', () => {
  it('has rows of five cells, each with an id of its own', () => {
    expect(threats.filter((row) => row.length !== 5)).toEqual([]);
    expect(threats.length).toBeGreaterThan(40);
    expect(new Set(threats.map(([id]) => id)).size).toBe(threats.length);
  });

  it('leaves out no attacker, and knows no other', () => {
    const known = rowsOf(section('Who attacks')).map(([name]) => name);
    expect([...new Set(threats.map(([, who]) => who))].sort()).toEqual(known.sort());
  });

  it('names tests that exist, or says that there are none', () => {
    const proven = threats.filter(([, , , , proof = '']) => !/^none yet: \S/.test(proof));
    expect(proven.flatMap(([id, , , , proof = '']) => faultsOf(proof).map((fault) => `${id}: ${fault}`))).toEqual([]);
  });

  it('lists what has no test, and nothing else', () => {
    const without = threats.filter(([, , , , proof = '']) => proof.startsWith('none yet')).map(([id]) => id);
    expect(rowsOf(section('Without a test')).map(([id]) => id)).toEqual(without);
  });

  it('says of all data where it is kept from, by tests that exist', () => {
    const rows = rowsOf(section('What data goes where'));
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.flatMap(([, , , , proof = '']) => faultsOf(proof))).toEqual([]);
  });

  it('would notice a test that is gone', () => {
    expect(faultsOf('`test/gone.test.ts` *a*; `test/security-docs.test.ts`; `test/fresh.ts` *a*')).toHaveLength(3);
    expect(faultsOf('`test/complete-lock.test.ts` *is left … is whole*, *is not there*')).toHaveLength(1);
  });
});

const mit = { version: '1.0.0', license: 'MIT', integrity: 'sha512-AA==' };

describe('a package that reaches users', () => {
  it('is locked by its hash and has a licence that is allowed', () => {
    const { license: _none, ...silent } = mit;
    const { integrity: _hash, ...loose } = mit;
    expect(() => shippedPackages({ 'node_modules/a': silent }, [])).toThrow('a@1.0.0 names no licence');
    expect(() => shippedPackages({ 'node_modules/a': loose }, [])).toThrow('a is locked without version or hash');
    expect(() => shippedPackages({ 'node_modules/a': { ...mit, license: 'AGPL-3.0-only' } }, [])).toThrow(
      'a@1.0.0 is under AGPL-3.0-only; allowed are 0BSD, Apache-2.0',
    );
    for (const { hashes } of bom().components) expect(hashes[0]?.content).toMatch(/^[0-9a-f]{128}$/);
  });

  it.each([
    ['MIT', true],
    ['GPL-3.0-only OR MIT', true],
    ['MIT AND GPL-3.0-only', false],
    ['(MIT OR GPL-3.0-only) AND BUSL-1.1', false],
    ['SEE LICENSE IN LICENSE', false],
    ['', false],
  ])('may be under %j: %s', (licence, allowed) => expect(isAllowed(licence)).toBe(allowed));

  it('is found with what it needs, as Node finds it; tools are left out', () => {
    const lock: Lock = {
      '': { version: '1.0.0', dependencies: { a: '1' } },
      'node_modules/a': { ...mit, dependencies: { b: '2' } },
      'node_modules/a/node_modules/b': { ...mit, version: '2.0.0' },
      'node_modules/b': { ...mit, dev: true },
      'node_modules/page': { ...mit, dev: true, dependencies: { b: '1' } },
      'node_modules/tool': { ...mit, dev: true },
      'node_modules/node-x': { ...mit, optional: true },
    };
    expect(
      shippedPackages(lock, ['page']).map(({ name, version, part, needs }) => [name, version, part, needs]),
    ).toEqual([
      ['a', '1.0.0', 'program', ['b@2.0.0']],
      ['b', '1.0.0', 'dashboard', []],
      ['b', '2.0.0', 'program', []],
      ['node-x', '1.0.0', 'runtime', []],
      ['page', '1.0.0', 'dashboard', ['b@1.0.0']],
    ]);
  });

  it('is what the sources import', () => {
    expect(packagesImported(root, 'src/web/main.tsx')).toEqual(['@preact/signals', 'preact']);
    const inPages = bom().components.filter(({ properties }) => properties[0]?.value === 'dashboard');
    expect(inPages.map(({ purl }) => purl.split('@')[0])).toContain('pkg:npm/preact');
  });

  it('is seen however it is imported, unless only for its types', () => {
    const values = [
      "import a from 'a'",
      "import 'b'",
      "export { c } from 'c'",
      "export * from 'd'",
      "void import('e')",
    ];
    const types = ["import type f from 'f'", "import { type g } from 'g'", "export type { h } from 'h'"];
    expect([...importsOf('a.tsx', [...values, ...types].join(';'))].sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('runs nothing when it is installed', () => {
    expect(text('.npmrc').split('\n')).toContain('ignore-scripts=true');
  });

  it('needs only what is listed, and tells neither time nor place', () => {
    const { components, dependencies, ...rest } = bom();
    const refs = new Set(components.map((one) => one['bom-ref']));
    expect(refs.size).toBe(components.length);
    expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref))).toEqual([]);
    expect(Object.keys(rest)).toEqual(['$schema', 'bomFormat', 'specVersion', 'version', 'metadata']);
    expect((sbomPage() + licencesPage()).match(/https?:\/\/[\w.-]+/g)).toEqual(['http://cyclonedx.org']);
  });
});

interface Bom {
  readonly components: readonly {
    readonly 'bom-ref': string;
    readonly purl: string;
    readonly hashes: readonly { readonly content: string }[];
    readonly properties: readonly { readonly value: string }[];
  }[];
  readonly dependencies: readonly { readonly dependsOn: readonly string[] }[];
}

function bom(): Bom {
  return JSON.parse(sbomPage());
}
