import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPackage } from './create-package.ts';
import { resolveDependencies } from './dependencies.ts';
import { parsePackage } from './parse-package.ts';
import { toResources } from './to-resources.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packages-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** A package that needs those, each by the path or name it is given. */
function operator(name: string, needs: readonly string[] = [], version = '1.0.0'): string {
  const tasks = needs.map((need, index) => `- {name: t${index}, kind: KudoOperator, spec: {package: "${need}"}}\n`);
  return `name: ${name}\noperatorVersion: "${version}"\nappVersion: "2.0.0"\nkubernetesVersion: "1.25"\ntasks:\n${tasks.join('')}plans: {}\n`;
}

const files = (path: string, text: string): [string, string][] => [
  [`${path}operator.yaml`, text],
  [`${path}params.yaml`, ''],
];

async function put(all: readonly [string, string][]): Promise<void> {
  for (const [path, text] of all) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

const archive = (all: readonly [string, string][]) =>
  createPackage(new Map(all.map(([path, text]) => [path, Buffer.from(text)])));
const resolve = (path: string, more: object = {}) =>
  resolveDependencies(join(folder, path), { namespace: 'ns', ...more });
const names = async (path: string, more: object = {}) =>
  (await resolve(path, more)).dependencies.map(({ operatorVersion }) => operatorVersion.metadata.name);

describe('dependencies', () => {
  it('come before what needs them, each once, and tasks name what they turned out to be', async () => {
    await put([
      ...files('top/', operator('top', ['../left', '../right'])),
      ...files('left/', operator('left', ['../base'])),
      ...files('right/', operator('right', ['../base'])),
      ...files('base/', operator('base', [], '0.3.0')),
    ]);
    const { root, dependencies } = await resolve('top');
    expect(dependencies.map(({ operator: { metadata } }) => metadata.name)).toEqual(['base', 'left', 'right']);
    expect(root.operatorVersion.spec.tasks?.map(({ spec }) => spec)).toEqual([
      { package: 'left', operatorVersion: '1.0.0', appVersion: '2.0.0' },
      { package: 'right', operatorVersion: '1.0.0', appVersion: '2.0.0' },
    ]);
    expect(dependencies[1]?.operatorVersion.spec.tasks?.[0]?.spec).toEqual({
      package: 'base',
      operatorVersion: '0.3.0',
      appVersion: '2.0.0',
    });
    expect(root.operatorVersion.metadata).toEqual({ name: 'top-2.0.0-1.0.0', namespace: 'ns' });
  });

  it('are what lies at the path, whatever version the task asks for, which is a warning', async () => {
    const asking = operator('top', ['../kid']).replace(
      'package: "../kid"',
      'package: "../kid", operatorVersion: 9.0.0',
    );
    await put([...files('top/', asking), ...files('kid/', operator('kid'))]);
    const { root, warnings } = await resolve('top');
    expect(root.operatorVersion.spec.tasks?.[0]?.spec?.operatorVersion).toBe('1.0.0');
    expect(warnings).toEqual([
      {
        message:
          'task "t0" of package top-2.0.0-1.0.0 asks for version 9.0.0 of ../kid, which has version 1.0.0: that one is taken',
      },
    ]);
  });

  it('inside an archive are looked for inside it', async () => {
    const packed = archive([
      ...files('', operator('top', ['./kids/a'])),
      ...files('kids/a/', operator('a', ['../b'])),
      ...files('kids/b/', operator('b')),
    ]);
    await writeFile(join(folder, 'top.tgz'), packed);
    expect(await names('top.tgz')).toEqual(['b-2.0.0-1.0.0', 'a-2.0.0-1.0.0']);
  });

  it.each(['../outside', './a/../../outside', '/outside'])('inside an archive do not get out by %s', async (path) => {
    await put(files('outside/', operator('outside')));
    await writeFile(join(folder, 'top.tgz'), archive(files('', operator('top', [path]))));
    await expect(resolve('top.tgz')).rejects.toThrow(
      /dependency of package top-2.0.0-1.0.0: it leads out of the archive/,
    );
  });

  it('that need one another are refused, with the way around', async () => {
    await put([
      ...files('a/', operator('a', ['../b'])),
      ...files('b/', operator('b', ['../c'])),
      ...files('c/', operator('c', ['../b'])),
    ]);
    await expect(resolve('a')).rejects.toThrow(
      'cyclic package dependency found when adding package c-2.0.0-1.0.0 -> b-2.0.0-1.0.0: b-2.0.0-1.0.0 -> c-2.0.0-1.0.0 -> b-2.0.0-1.0.0',
    );
  });

  it('that need themselves are refused', async () => {
    await put(files('a/', operator('a', ['.//'])));
    await expect(resolve('a')).rejects.toThrow('cyclic package dependency');
  });

  it('are not followed for ever', async () => {
    const chain = Array.from({ length: 30 }, (_, index) =>
      files(`p${index}/`, operator(`p${index}`, [`../p${index + 1}`])),
    );
    await put(chain.flat());
    await expect(resolve('p0')).rejects.toThrow('more than 16 packages need one another');
  });

  it('of a bare name are what is installed, the newest of it', async () => {
    await put(files('top/', operator('top', ['kid'])));
    const version = (text: string) =>
      toResources(parsePackage({ origin: 'kid', files: new Map(files('', operator('kid', [], text))) }), 'ns')
        .operatorVersion;
    const { root, dependencies } = await resolve('top', { installed: ['0.10.0', '0.9.0'].map(version) });
    expect(dependencies).toEqual([]);
    expect(root.operatorVersion.spec.tasks?.[0]?.spec?.operatorVersion).toBe('0.10.0');
  });

  it('of a bare name are else in the folder beside, or in the repository', async () => {
    await put([...files('top/', operator('top', ['kid'])), ...files('kid/', operator('kid'))]);
    expect(await names('top')).toEqual(['kid-2.0.0-1.0.0']);
    await mkdir(join(folder, 'repo'));
    await writeFile(join(folder, 'repo/kid.tgz'), archive(files('', operator('kid', [], '3.0.0'))));
    expect(await names('top', { repository: join(folder, 'repo') })).toEqual(['kid-2.0.0-3.0.0']);
  });

  it.each([
    ['ghost', 'failed to resolve package ghost, dependency of package top-2.0.0-1.0.0: it is not installed, and'],
    ['../ghost', 'failed to resolve package ../ghost, dependency of package top-2.0.0-1.0.0: there is no package at'],
    ['https://example.org/kid.tgz', 'packages are not downloaded'],
    ['/etc/kid', 'a package is named by its path from the folder of the one that needs it'],
    ['', 'names no package'],
    ['a b', '"a b" is no name of a package'],
  ])('that cannot be had are an error: %s', async (need, message) => {
    await put(files('top/', operator('top', [need])));
    await expect(resolve('top')).rejects.toThrow(message);
  });
});
