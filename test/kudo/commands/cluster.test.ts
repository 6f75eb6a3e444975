import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { kinds } from '../../../src/kube/kinds.ts';
import type { KubeObject } from '../../../src/kube/object.ts';

import { operator } from '../../../src/kudo/resources/operator.ts';
import { packagesFolder } from '../../golden/kudo/package-recording.ts';
import { CommandStage, execution, instanceOf, planStatus, versionOf } from './command-stage.ts';

const alpha = (): KubeObject =>
  ({
    apiVersion: operator.apiVersion,
    kind: 'Operator',
    metadata: { name: 'alpha', namespace: 'default' },
    spec: { description: 'the first' },
  }) as KubeObject;

describe('init', () => {
  it('makes the kinds known, and says how plans are carried out', async () => {
    await using stage = await CommandStage.open({ init: false });
    const { out, err, code } = await stage.run('init');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('customresourcedefinition instances.kudo.dev installed\n');
    expect(out).toContain('cutover operator --family kudo');
    const again = await stage.run('init', '-o', 'json');
    expect(JSON.parse(again.out).installed).toHaveLength(3);
    expect((await stage.run('get', 'instances')).out).toBe('nothing found in namespace "default"\n');
  });

  it('prints what it would install, and installs nothing, with --dry-run', async () => {
    await using stage = await CommandStage.open({ init: false });
    const { out } = await stage.run('init', '--dry-run');
    const objects = parseAllDocuments(out).map((document) => document.toJS() as KubeObject);
    expect(objects.map(({ metadata }) => metadata.name).sort()).toEqual([
      'instances.kudo.dev',
      'operators.kudo.dev',
      'operatorversions.kudo.dev',
    ]);
    const { items } = await stage.client.resource(kinds.customResourceDefinitions).list();
    expect(items).toEqual([]);
  });

  it("warns of KUDO's own manager, which would work on the same Instances", async () => {
    await using stage = await CommandStage.open({ init: false });
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'manager', image: 'kudo' }] } };
    await stage.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kudo-system' } }, {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'kudo-controller-manager', namespace: 'kudo-system' },
      spec: { serviceName: 'kudo', selector: { matchLabels: { a: 'b' } }, template },
    } as KubeObject);
    const { err, code } = await stage.run('init');
    expect([code, err]).toEqual([0, expect.stringMatching(/^Warning: KUDO's own manager is installed/)]);
  });
});

describe('get', () => {
  it('lists each kind, and all of them as a tree, also what has lost its package', async () => {
    await using stage = await CommandStage.open();
    await stage.create(
      alpha(),
      versionOf('alpha-0.1.0', ['deploy']),
      instanceOf('one', 'alpha-0.1.0'),
      instanceOf('lost', 'gone-1.0.0'),
    );
    const at = '2030-01-01T00:00:00Z';
    await stage.report('one', {
      latest: { plan: 'deploy', status: 'COMPLETE', restart: 'no' },
      conditions: [{ type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: at }],
    });
    await stage.clock.advance(150_000);
    expect((await stage.run('get', 'instances')).out).toMatch(
      /^NAME +OPERATOR-VERSION +PLAN +PLAN-STATUS +READY +RESTART +AGE\nlost +gone-1\.0\.0 +2m\none +alpha-0\.1\.0 +deploy +COMPLETE +True +no +2m\n$/,
    );
    expect((await stage.run('get', 'operators', '-A')).out).toMatch(
      /^NAMESPACE +NAME +DESCRIPTION +AGE\ndefault +alpha +the first +2m\n$/,
    );
    expect((await stage.run('get', 'operatorversions')).out).toMatch(/\nalpha-0\.1\.0 +alpha +0\.1\.0 /);
    expect((await stage.run('get', 'all')).out.split('\n')).toEqual([
      'List of current installed operators including versions and instances in namespace "default":',
      '.',
      '├── alpha',
      '│\u00a0\u00a0 └── alpha-0.1.0',
      '│\u00a0\u00a0     └── one (deploy [COMPLETE])',
      '└── lost (its operatorversion is missing)',
      '',
      '',
    ]);
  });

  it('prints objects as JSON and YAML, one or all', async () => {
    await using stage = await CommandStage.open();
    await stage.create(instanceOf('one', 'alpha-0.1.0'));
    expect(JSON.parse((await stage.run('get', 'instances', '-o', 'json')).out)).toMatchObject({
      kind: 'List',
      items: [{ kind: 'Instance', metadata: { name: 'one' } }],
    });
    expect((await stage.run('get', 'instances', 'one', '-o', 'yaml')).out).toContain('kind: Instance\n');
    const missing = await stage.run('get', 'instances', 'oen');
    expect([missing.code, missing.err]).toEqual([
      1,
      'Error: instance "oen" does not exist in namespace "default". Did you mean "one"?\n',
    ]);
  });
});

describe('uninstall', () => {
  it('deletes the Instance, and waits until it is gone', async () => {
    await using stage = await CommandStage.open();
    await stage.create(instanceOf('one', 'alpha-0.1.0'));
    expect(await stage.run('uninstall', '--instance', 'one', '--wait')).toEqual({
      out: 'instance.kudo.dev/v1beta1/one deleted\n',
      err: '',
      code: 0,
    });
    await expect(stage.instance('one')).rejects.toThrow('not found');
  });

  it('follows its cleanup plan, and says what to do when that fails for good', async () => {
    await using stage = await CommandStage.open();
    const one = instanceOf('one', 'alpha-0.1.0');
    const metadata = { ...one.metadata, finalizers: ['kudo.dev.instance.cleanup'] };
    await stage.create({ ...one, metadata });
    const running = stage.start('uninstall', '--instance', 'one', '--wait');
    await stage.clock.advance(1_000);
    await stage.report('one', {
      execution: execution('cleanup', 'u1'),
      planStatus: planStatus('cleanup', 'IN_PROGRESS'),
    });
    await stage.clock.advance(1_000);
    const failed = planStatus('cleanup', 'FATAL_ERROR', 'the bucket is not empty');
    await stage.report('one', { execution: null as never, planStatus: failed });
    const { out, err, code } = await running.ended();
    expect([out, code]).toEqual(['', 1]);
    expect(err).toContain('plan cleanup started\n');
    expect(err).toContain(
      'failed: step main.work: the bucket is not empty; to let the instance go without it, remove its finalizer',
    );
  });
});

describe('words that others chose', () => {
  it('are printed harmlessly wherever they come from', async () => {
    await using stage = await CommandStage.open({ cwd: join(packagesFolder, '01-configmap') });
    const evil = '\u001b]0;owned\u0007\u009b2J\u202e';
    await stage.create(versionOf('alpha-0.1.0', ['deploy', `de${evil}`]), instanceOf('one', 'alpha-0.1.0'));
    await stage.report('one', { planStatus: planStatus('deploy', 'ERROR', `line\n${evil}`) });
    const commands = [
      ['plan', 'status', '--instance', 'one'],
      ['plan', 'status', '--instance', 'one', '-o', 'json'],
      ['plan', 'status', '--instance', 'one', '-o', 'yaml'],
      ['plan', 'history', '--instance', 'one'],
      ['plan', 'trigger', '--instance', 'one', '--name', evil],
      ['plan', 'status', '--instance', evil],
      ['get', 'all'],
      ['update', '--instance', 'one', '-p', `${evil}=1`],
      ['install', './package', '-p', `LEVEL=${evil}`, '--dry-run'],
      ['render', './package', '-p', `LEVEL=${evil}`],
      ['diff', './package', '-p', `LEVEL=${evil}`],
    ];
    for (const command of commands) {
      const { out, err } = await stage.run(...command);
      expect(`${out}${err}`).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
    }
    const { out } = await stage.run('plan', 'status', '--instance', 'one', '-o', 'json');
    expect(JSON.parse(out).planStatus.deploy.phases[0].steps[0].message).toBe(`line\n${evil}`);
  });

  it('never reach a prototype', async () => {
    await using stage = await CommandStage.open({ cwd: join(packagesFolder, '01-configmap') });
    const { err } = await stage.run('render', './package', '-p', '__proto__=1');
    expect(err).toContain('parameter "__proto__" is not one of alpha-7.0.1-0.1.0');
    expect((await stage.run('render', './package', '--plan', 'constructor')).err).toContain(
      'plan constructor does not exist',
    );
  });
});
