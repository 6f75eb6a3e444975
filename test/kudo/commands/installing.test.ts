import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { kinds } from '../../../src/kube/kinds.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { instance } from '../../../src/kudo/resources/instance.ts';
import { operator } from '../../../src/kudo/resources/operator.ts';
import { type OperatorVersion, operatorVersion } from '../../../src/kudo/resources/operator-version.ts';
import { packagesFolder } from '../../golden/kudo/package-recording.ts';
import { CommandStage, execution, past, planStatus } from './command-stage.ts';

const open = (folder = '01-configmap') => CommandStage.open({ cwd: join(packagesFolder, folder) });

async function names(stage: CommandStage): Promise<readonly string[]> {
  const lists = [operator.type, operatorVersion.type].map((type) => stage.client.resource<KubeObject>(type).list());
  return (await Promise.all(lists)).flatMap(({ items }) => items.map(({ metadata }) => `${metadata.name}`)).sort();
}

describe('install', () => {
  it('creates operator, version and Instance, which is named after the operator', async () => {
    await using stage = await open();
    const { out, code } = await stage.run('install', './package', '-p', 'LEVEL=7');
    expect([out, code]).toEqual([
      'operator default/alpha created\noperatorversion default/alpha-7.0.1-0.1.0 created\ninstance default/alpha-instance created\n',
      0,
    ]);
    const { metadata, spec } = await stage.instance('alpha-instance');
    expect(metadata.labels).toEqual({ 'kudo.dev/operator': 'alpha' });
    expect(spec).toEqual({ operatorVersion: { name: 'alpha-7.0.1-0.1.0' }, parameters: { LEVEL: '7' } });
  });

  it('takes values from files, flags winning over them, and lists and maps as YAML', async () => {
    await using stage = await open('11-parameters');
    const folder = await mkdtemp(join(tmpdir(), 'kudo-'));
    await writeFile(join(folder, 'values.yaml'), 'MUST: from file\nINT: 5\nLIST: [a, b]\nFIXED_NODEFAULT: f\n');
    const file = join(folder, 'values.yaml');
    const { err, code } = await stage.run('install', './package', '--instance', 'pm', '-P', file, '-p', 'MUST=a=b');
    expect([err, code]).toEqual(['', 0]);
    expect((await stage.instance('pm')).spec.parameters).toEqual({
      MUST: 'a=b',
      INT: '5',
      LIST: '- a\n- b\n',
      FIXED_NODEFAULT: 'f',
    });
  });

  it.each([
    [['-p', 'MUST'], 'Error: -p "MUST" has not the form NAME=VALUE'],
    [['-p', '=1'], 'Error: -p "=1" has not the form NAME=VALUE'],
    [['-P', 'package/nothing.yaml'], 'parameter file package/nothing.yaml: there is no such file'],
    [['-p', 'MUST=1'], 'Error: missing required parameters during installation: FIXED_NODEFAULT\n'],
    [['-p', 'MUST=1', '-p', 'FIXED_NODEFAULT=1', '-p', 'INT=many'], 'parameter "INT" has an invalid value "many"'],
  ])('leaves nothing behind when it is refused: %j', async (args, message) => {
    await using stage = await open('11-parameters');
    const { out, err, code } = await stage.run('install', './package', ...args);
    expect([out, code]).toEqual(['', 1]);
    expect(err).toContain(message);
    expect(stage.writes).toEqual([]);
  });

  it('brings what the package needs, first', async () => {
    await using stage = await open('09-parent');
    const { out } = await stage.run('install', './package/operator', '--skip-instance');
    expect(out.split('\n')).toEqual([
      'operator default/parent created',
      'operator default/kid created',
      'operatorversion default/kid-0.1.0 created',
      'operatorversion default/parent-0.1.0 created',
      '',
    ]);
  });

  it('prints what it would create, and creates nothing, with --dry-run', async () => {
    await using stage = await open();
    const { out } = await stage.run('install', './package', '--dry-run');
    const objects = parseAllDocuments(out).map((document) => document.toJS() as KubeObject);
    expect(objects.map(({ kind }) => kind)).toEqual(['Operator', 'OperatorVersion', 'Instance']);
    expect(await names(stage)).toEqual([]);
    const { out: json } = await stage.run('install', './package', '--dry-run', '-o', 'json');
    expect(JSON.parse(json).items).toHaveLength(3);
  });

  it('waits until deploy has ended, and fails as soon as it fails', async () => {
    await using stage = await open();
    const running = stage.start('install', './package', '--instance', 'one', '--wait');
    let reported = false;
    const { out, err, code } = await running.ended(async () => {
      if (reported || !running.said().out.includes('instance default/one created')) return;
      reported = true;
      await stage.report('one', {
        planStatus: planStatus('deploy', 'FATAL_ERROR', 'no room'),
        history: [past('deploy', 'u1', 'FATAL_ERROR')],
      });
    });
    expect(out).not.toContain('ready');
    expect([err, code]).toEqual(['Error: plan deploy of instance default/one failed: step main.work: no room\n', 1]);
  });

  it('creates the namespace when asked to, and takes a package by the name of an installed operator', async () => {
    await using stage = await open();
    const first = await stage.run('install', './package', '-n', 'fresh', '--create-namespace', '--instance', 'one');
    expect(first.out.split('\n')[0]).toBe('namespace fresh created');
    const second = await stage.run('install', 'alpha', '-n', 'fresh', '--create-namespace', '--instance', 'two');
    expect(second.out).toBe('operatorversion fresh/alpha-7.0.1-0.1.0 already installed\ninstance fresh/two created\n');
    const { err } = await stage.run('install', 'alhpa', '-n', 'fresh');
    expect(err).toContain('there is no package "alhpa": it is neither a folder nor a .tgz file');
    expect(err).toContain('Did you mean "alpha"?');
    const { metadata } = await stage.client.resource(kinds.namespaces).get({ name: 'fresh' });
    expect(metadata.name).toBe('fresh');
  });

  it('says that an installed version has other content than the package', async () => {
    await using stage = await open();
    await stage.run('install', './package', '--skip-instance');
    const versions = stage.client.resource<OperatorVersion>(operatorVersion.type);
    const place = { namespace: 'default', name: 'alpha-7.0.1-0.1.0' };
    expect((await stage.run('install', './package', '--skip-instance')).err).toBe('');
    await versions.patch(place, { type: 'merge', body: { spec: { templates: { 'main.yaml': 'other' } } } });
    const { err, code } = await stage.run('install', './package', '--skip-instance');
    expect([code, err]).toEqual([0, expect.stringContaining('is installed with other content than the package has')]);
  });

  it('says before it installs that a plan will fail, and where', async () => {
    await using stage = await open();
    const folder = await mkdtemp(join(tmpdir(), 'kudo-'));
    await stage.run('package', 'new', 'hello', '--folder', folder);
    await writeFile(join(folder, 'templates/service.yaml'), 'apiVersion: v1\nkind: {{ fail "not today" }}\n');
    const { out, err, code } = await stage.run('install', folder);
    expect([code, out]).toEqual([0, expect.stringContaining('instance default/hello-instance created')]);
    expect(err).toMatch(
      /^Warning: plan deploy will fail: task deploy\.main\.settings\.settings .*service\.yaml:2:.*not today\n$/,
    );
  });

  it('refuses a cluster that is too old', async () => {
    await using stage = await open();
    const folder = await mkdtemp(join(tmpdir(), 'kudo-'));
    await stage.run('package', 'new', 'hello', '--folder', folder);
    const { files } = JSON.parse(
      (await stage.run('package', 'new', 'hello', '--folder', folder, '--overwrite', '-o', 'json')).out,
    );
    expect(files).toContain('operator.yaml');
    await writeFile(
      join(folder, 'operator.yaml'),
      'apiVersion: kudo.dev/v1beta1\nname: hello\noperatorVersion: "1.0.0"\nkubernetesVersion: "9.0.0"\nplans: {deploy: {strategy: serial, phases: []}}\ntasks: []\n',
    );
    const { err, code } = await stage.run('install', folder);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/package hello needs Kubernetes 9\.0\.0 or newer, and this cluster has v?1\./),
    ]);
  });
});

describe('update', () => {
  it('changes only what is named, and says which plan runs and whether pods restart', async () => {
    await using stage = await open();
    await stage.run('install', './package', '--instance', 'one', '-p', 'LEVEL=7', '-p', 'DEPTH=2');
    await stage.report('one', {});
    const { out, err, code } = await stage.run('update', '--instance', 'one', '-p', 'LEVEL=8', '--unset', 'DEPTH');
    expect([out, err, code]).toEqual(['Instance one was updated.\n', 'plan tune runs; it restarts pods\n', 0]);
    expect((await stage.instance('one')).spec.parameters).toEqual({ LEVEL: '8' });
  });

  it('refuses by the rules of the operator, before anything is sent', async () => {
    await using stage = await open('11-parameters');
    await stage.run('install', './package', '--instance', 'pm', '-p', 'MUST=m', '-p', 'FIXED_NODEFAULT=x');
    await stage.report('pm', {});
    const error = async (...args: readonly string[]) => (await stage.run('update', '--instance', 'pm', ...args)).err;
    expect(await error('-p', 'TIER=huge')).toContain('only allowed values are [small medium large]');
    expect(await error('-p', 'FIXED_NODEFAULT=y')).toContain(
      "parameter 'FIXED_NODEFAULT' is immutable but was changed from 'x' to 'y'",
    );
    expect(await error('-p', 'TEIR=small')).toBe(
      'Error: parameter "TEIR" is not one of kappa-0.1.0. Did you mean "TIER"?\n',
    );
    expect(await error()).toContain('need to specify at least one parameter to override');
    expect((await stage.instance('pm')).metadata.generation).toBe(1);
  });

  it('says that a change waits for the plan that runs, and with --wait follows it to its end', async () => {
    await using stage = await open();
    await stage.run('install', './package', '--instance', 'one');
    await stage.report('one', { execution: execution('deploy', 'u1') });
    const running = stage.start('update', '--instance', 'one', '-p', 'LEVEL=8', '--wait');
    const reports = [
      { execution: execution('tune', 'u2'), planStatus: planStatus('tune', 'IN_PROGRESS') },
      { execution: null as never, history: [past('tune', 'u2', 'COMPLETE'), past('deploy', 'u1', 'COMPLETE')] },
    ];
    const { err, code } = await running.ended(async () => {
      if (!running.said().out.includes('updated')) return;
      const next = reports.shift();
      if (next) await stage.report('one', next);
      await stage.clock.advance(2_000);
    });
    expect(code).toBe(0);
    expect(err).toContain('plan tune started\nstep tune.main.work [IN_PROGRESS]\n');
  });

  it('ends at once when the operator refuses, or nothing differs', async () => {
    await using stage = await open();
    await stage.run('install', './package', '--instance', 'one', '-p', 'LEVEL=7');
    await stage.report('one', {});
    const same = await stage.run('update', '--instance', 'one', '-p', 'LEVEL=7', '--wait');
    expect([same.code, same.err]).toEqual([0, 'nothing changes that a plan would have to apply\n']);
    const running = stage.start('update', '--instance', 'one', '-p', 'LEVEL=9', '--wait');
    const at = '2030-01-01T00:00:00Z';
    const { err, code } = await running.ended(async () => {
      if (!running.said().out.includes('updated')) return;
      const conditions = [
        {
          type: 'Accepted',
          status: 'False' as const,
          reason: 'SeveralPlans',
          message: 'one at a time',
          lastTransitionTime: at,
        },
      ];
      await stage.report('one', { conditions });
    });
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('Error: the change of instance default/one was refused: one at a time\n'),
    ]);
  });
});

describe('upgrade', () => {
  it('creates the version, then points the Instance to it, with the opt-out of the restart', async () => {
    await using stage = await open();
    await stage.run('install', './package', '--instance', 'one');
    await stage.report('one', {});
    const { out, err, code } = await stage.run('upgrade', './package-v2', '--instance', 'one', '--no-restart');
    expect([out, err, code]).toEqual([
      'operatorversion default/alpha-7.0.2-0.2.0 created\ninstance default/one updated\n',
      'plan deploy runs; it restarts only pods whose template changes\n',
      0,
    ]);
    const { spec } = await stage.instance('one');
    expect(spec).toMatchObject({ operatorVersion: { name: 'alpha-7.0.2-0.2.0' }, planExecution: { restart: false } });
  });

  it('restarts pods again when the opt-out of an earlier upgrade still stands there', async () => {
    await using stage = await open();
    await stage.run('install', './package', '--instance', 'one');
    await stage.report('one', {});
    const body = { spec: { planExecution: { restart: false } } };
    await stage.client.resource(instance.type).patch({ namespace: 'default', name: 'one' }, { type: 'merge', body });
    expect((await stage.run('upgrade', './package-v2', '--instance', 'one')).code).toBe(0);
    expect((await stage.instance('one')).spec.planExecution).toEqual({});
  });

  it('refuses another operator and an older version, and leaves nothing behind', async () => {
    await using stage = await open();
    await stage.run('install', './package-v2', '--instance', 'one');
    await stage.report('one', {});
    const older = await stage.run('upgrade', './package', '--instance', 'one');
    expect(older.err).toBe(
      'Error: upgraded version 0.1.0 is the same or smaller as current version 0.2.0 -> not upgrading\n',
    );
    const other = await stage.run('upgrade', '../04-job/package', '--instance', 'one');
    expect(other.err).toBe('Error: the instance is one of operator alpha: it cannot be upgraded to operator delta\n');
    expect(await names(stage)).toEqual(['alpha', 'alpha-7.0.2-0.2.0']);
  });
});
