import { cp, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packagesFolder, recordings } from '../../golden/kudo/package-recording.ts';
import { CommandStage } from './command-stage.ts';

const emptyFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'kudo-'));

describe('package list', () => {
  it.each(recordings('list').filter(({ name }) => /^(01|08|11)/.test(name)))(
    'answers as KUDO did: $name',
    async ({ name, command, exit, stdout, stderr }) => {
      await using stage = await CommandStage.open({ init: false, cwd: join(packagesFolder, name.split('/')[0] ?? '') });
      const said = await stage.run('package', ...command);
      const lines = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
      expect([lines(said.out), lines(said.err), said.code !== 0]).toEqual([stdout, stderr, exit !== 0]);
    },
  );

  it('prints JSON and YAML', async () => {
    await using stage = await CommandStage.open({ init: false, cwd: join(packagesFolder, '11-parameters') });
    const required = JSON.parse(
      (await stage.run('package', 'list', 'parameters', './package', '-r', '-o', 'json')).out,
    );
    expect(required.map(({ name }: { readonly name: string }) => name).sort()).toEqual(['FIXED_NODEFAULT', 'MUST']);
    expect((await stage.run('package', 'list', 'tasks', './package', '-o', 'yaml')).out).toContain(
      '- name: main\n  kind: Apply\n',
    );
    expect(JSON.parse((await stage.run('package', 'list', 'plans', './package', '-o', 'json')).out)).toHaveProperty(
      'deploy',
    );
  });
});

describe('package verify', () => {
  it('fails with the number of errors, and with all of them in JSON', async () => {
    await using stage = await CommandStage.open({ init: false, cwd: join(packagesFolder, 'broken') });
    const { out, err, code } = await stage.run('package', 'verify', './08-task-undefined/package');
    expect(out).toMatch(/^(Warnings\n(.+\n)*)?Errors\n/);
    expect([err, code]).toEqual([expect.stringMatching(/^Error: found \d+ package verification errors\n$/), 1]);
    const json = await stage.run('package', 'verify', './08-task-undefined/package', '-o', 'json');
    expect(JSON.parse(json.out)).toMatchObject({ valid: false, errors: [expect.any(String)] });
  });

  it('says with -o json where each finding is', async () => {
    await using stage = await CommandStage.open({ init: false, cwd: join(packagesFolder, 'broken') });
    const { out } = await stage.run('package', 'verify', './14-param-duplicate/package', '-o', 'json');
    expect(JSON.parse(out).findings).toContainEqual({
      severity: 'error',
      rule: 'kudo',
      message: expect.stringContaining('has a duplicate'),
      file: 'params.yaml',
      line: expect.any(Number),
      column: expect.any(Number),
    });
  });

  it('has a verdict of its own, whatever the package wants it to say', async () => {
    const cwd = await emptyFolder();
    await using stage = await CommandStage.open({ init: false, cwd });
    await stage.run('package', 'new', 'hello');
    const spoof = 'parameters:\n- name: "A"\n  default: a\n  group: "x\\npackage is valid\\n\\u001b[2J"\n';
    await writeFile(join(cwd, 'hello/params.yaml'), spoof);
    const { out } = await stage.run('package', 'verify', 'hello');
    expect(out).toContain('package is valid\\n');
    expect(out.split('\n')).not.toContain('package is valid');
    expect(out).not.toContain('\u001b');
  });

  it('says one line for each thing that keeps a package from being read', async () => {
    await using stage = await CommandStage.open({ init: false, cwd: join(packagesFolder, 'broken') });
    const { err, code } = await stage.run('package', 'verify', './04-operator-not-yaml/package');
    expect(code).toBe(1);
    expect(err).toMatch(/^(Error: .+\n)+$/);
  });
});

/** A package that `package new` made, with something else in its operator.yaml. */
async function changedPackage(stage: CommandStage, cwd: string, from: string, to: string): Promise<void> {
  await stage.run('package', 'new', 'hello');
  const file = join(cwd, 'hello/operator.yaml');
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll(from, to));
}

describe('the name of an operator', () => {
  it.each(['../../escaped', '', 'Hello', 'a..b'])('cannot be %j', async (name) => {
    const cwd = await emptyFolder();
    await using stage = await CommandStage.open({ init: false, cwd });
    await changedPackage(stage, cwd, 'name: hello', `name: ${JSON.stringify(name)}`);
    expect((await stage.run('package', 'verify', 'hello')).out).toMatch(/^Warnings\noperator\.yaml: the operator /);
    const { err, code } = await stage.run('package', 'create', 'hello', '-d', 'in/here');
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^Error: the operator (?:has no name|cannot be named ".*": .*)\n$/),
    ]);
    expect(await readdir(cwd)).toEqual(['hello']);
  });
});

describe('package new and create', () => {
  it('writes a package that verifies, and packs it into the same bytes each time', async () => {
    const cwd = await emptyFolder();
    await using stage = await CommandStage.open({ init: false, cwd });
    expect((await stage.run('package', 'new', 'hello')).code).toBe(0);
    expect((await stage.run('package', 'verify', 'hello')).out).toContain('package is valid\n');
    const { out } = await stage.run('package', 'create', 'hello', '-d', 'out');
    const [file = ''] = await readdir(join(cwd, 'out'));
    expect(out).toBe(`package created: ${join(cwd, 'out', file)}\n`);
    const bytes = await readFile(join(cwd, 'out', file));
    expect((await stage.run('package', 'create', 'hello', '-d', 'out')).err).toContain(
      'exists; raise the operatorVersion',
    );
    expect((await stage.run('package', 'create', 'hello', '-d', 'out', '-w')).code).toBe(0);
    expect(await readFile(join(cwd, 'out', file))).toEqual(bytes);
    expect((await stage.run('package', 'verify', join('out', file))).code).toBe(0);
  });

  it('never writes over files of others, and packs nothing that does not verify', async () => {
    const cwd = await emptyFolder();
    await using stage = await CommandStage.open({ init: false, cwd });
    await cp(join(packagesFolder, 'broken/08-task-undefined/package'), join(cwd, 'broken'), { recursive: true });
    const taken = await stage.run('package', 'new', 'hello', '--folder', 'broken');
    expect([taken.code, taken.err]).toEqual([1, expect.stringContaining('is not empty')]);
    expect((await stage.run('package', 'create', 'nowhere')).err).toBe(
      `Error: there is no folder ${join(cwd, 'nowhere')}\n`,
    );
    const packed = await stage.run('package', 'create', 'broken');
    expect([packed.code, packed.err]).toEqual([1, expect.stringContaining('invalid operator in path')]);
    expect(await readdir(cwd)).toEqual(['broken']);
    expect((await stage.run('package', 'new', '../evil')).err).toContain('cannot be the name of an operator');
  });
});

describe('mistakes in the command line', () => {
  it.each([
    [['plan', 'trigger'], "error: required option '--instance <name>' not specified\n"],
    [
      ['get', 'pods'],
      "error: command-argument value 'pods' is invalid for argument 'what'. Allowed choices are instances, operators, operatorversions, all.\n",
    ],
    [['plan', 'wait', '--instance', 'a', '--wait-time', 'soon'], 'It must be a number of seconds, 1 or more.\n'],
    [['version', '-o', 'xml'], 'Allowed choices are json, yaml, text.\n'],
  ])('are one line: %j', async (args, message) => {
    await using stage = await CommandStage.open({ init: false });
    const { err, code } = await stage.run(...args);
    expect([code, err.split('\n').length]).toEqual([1, 2]);
    expect(err).toContain(message);
  });

  it('leave the version to be asked for in every format', async () => {
    await using stage = await CommandStage.open({ init: false });
    expect((await stage.run('version')).out).toBe('cutover 1.2.3 (kudo.dev/v1beta1)\n');
    expect((await stage.run('version', '-o', 'yaml')).out).toBe('version: 1.2.3\napiVersion: kudo.dev/v1beta1\n');
  });
});
