import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../../src/kube/object.ts';
import { packagesFolder } from '../../golden/kudo/package-recording.ts';
import { CommandStage } from './command-stage.ts';

const ledger = join(import.meta.dirname, '../../../examples/kudo/ledger');

const objectsIn = (text: string): readonly KubeObject[] =>
  parseAllDocuments(text).flatMap((document) => (document.toJS() as KubeObject | null) ?? []);

/** The example, installed, and applied as its plan would have: what `render` prints. */
async function installed(): Promise<CommandStage> {
  const stage = await CommandStage.open({ cwd: ledger });
  await stage.run('install', '.', '--instance', 'ledger');
  await stage.report('ledger', {});
  await stage.create(...objectsIn((await stage.run('render', '--instance', 'ledger')).out));
  expect(stage.writes).toHaveLength(3);
  return stage;
}

describe('render', () => {
  it('prints what a plan would apply, from a package and without a cluster', async () => {
    await using stage = await CommandStage.open({ init: false, cwd: ledger });
    const { out, err, code } = await stage.run('render', '.', '-p', 'NODE_COUNT=5', '-n', 'books');
    expect([err, code]).toEqual(['', 0]);
    const objects = objectsIn(out) as readonly AnyObject[];
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`)).toEqual([
      'ConfigMap books/ledger-instance-settings',
      'Service books/ledger-instance',
      'StatefulSet books/ledger-instance',
    ]);
    expect(objects[2]).toMatchObject({
      spec: { replicas: 5 },
      metadata: { labels: { 'kudo.dev/instance': 'ledger-instance' } },
    });
    expect(out).toContain('# plan deploy, phase ledger, step nodes, task nodes\n');
    expect(out).not.toContain('last-applied');
  });

  it('tells of deletions in comments, and as entries of JSON', async () => {
    await using stage = await CommandStage.open({ init: false, cwd: ledger });
    const { out } = await stage.run('render', '.', '--plan', 'backup');
    expect(out).toContain('step forget, task forget-last-backup: deletes Job ledger-instance-backup\n');
    expect(objectsIn(out).map(({ kind }) => kind)).toEqual(['Job']);
    const entries = JSON.parse((await stage.run('render', '.', '--plan', 'backup', '-o', 'json')).out);
    expect(entries.map(({ does }: { readonly does: string }) => does)).toEqual(['delete', 'apply']);
  });

  it('shows the Instances that a package keeps of others', async () => {
    await using stage = await CommandStage.open({ init: false, cwd: join(packagesFolder, '09-parent') });
    const { out, err } = await stage.run('render', './package/operator', '--instance', 'par');
    expect(err).toBe('');
    expect(objectsIn(out)).toContainEqual(
      expect.objectContaining({
        kind: 'Instance',
        metadata: expect.objectContaining({ name: 'par-kid' }),
        spec: { operatorVersion: { name: 'kid-0.1.0' }, parameters: { COLOR: 'red', SIZE: 'm' } },
      }),
    );
  });

  it('hides values of Secrets, which are comments then, unless it is asked for them', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'kudo-'));
    await using stage = await CommandStage.open({ init: false, cwd });
    await stage.run('package', 'new', 'hello');
    const [template = ''] = await readdir(join(cwd, 'hello/templates'));
    const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {token: hunter2}\n';
    await writeFile(
      join(cwd, 'hello/templates', template),
      `${secret}---\n${secret.replace('Secret', 'ConfigMap').replace('stringData', 'data')}`,
    );
    const { out, err } = await stage.run('render', 'hello');
    expect(err).toContain('--show-secrets');
    expect(out).toContain('#   token: "***"\n');
    expect(objectsIn(out)[0]).toMatchObject({ kind: 'ConfigMap', data: { token: 'hunter2' } });
    expect(objectsIn(out).map(({ kind }) => kind)).not.toContain('Secret');
    const json = JSON.parse((await stage.run('render', 'hello', '-o', 'json')).out);
    expect(json[0].object).toMatchObject({ kind: 'Secret', stringData: { token: '***' } });
    const open = await stage.run('render', 'hello', '--show-secrets');
    expect([open.err, objectsIn(open.out)[0]]).toEqual([
      '',
      expect.objectContaining({ stringData: { token: 'hunter2' } }),
    ]);
  });

  it('says where a template fails', async () => {
    await using stage = await CommandStage.open({ init: false, cwd: join(packagesFolder, '10-strategies') });
    const { err, code } = await stage.run('render', './package', '--plan', 'render-error');
    expect([err, code]).toEqual([
      expect.stringMatching(/^Error: task render-error\.one\.bad\.badref cannot be done: .*badref\.yaml:7:/),
      1,
    ]);
  });

  it('warns of values that an installation would require, and refuses strangers', async () => {
    await using stage = await CommandStage.open({ init: false, cwd: join(packagesFolder, '11-parameters') });
    expect((await stage.run('render', './package')).err).toContain(
      'Warning: rendered without a value for FIXED_NODEFAULT, MUST',
    );
    expect((await stage.run('render', './package', '-p', 'X=1')).code).toBe(1);
    expect((await stage.run('render')).err).toContain(
      'name a package (a folder or a .tgz file), or an instance with --instance',
    );
  });
});

describe('diff', () => {
  it('shows a quiet change, which restarts nothing, and writes nothing', async () => {
    await using stage = await installed();
    const writes = stage.writes.length;
    const { out, code } = await stage.run('diff', '--instance', 'ledger', '-p', 'NODE_COUNT=4');
    expect(code).toBe(0);
    expect(out).toContain('plan deploy would run (parameters: NODE_COUNT); it demands no restart of pods\n');
    expect(out).toContain('StatefulSet ledger: changed\n');
    expect(out).toContain('\n-  replicas: 3\n+  replicas: 4\n');
    expect(out).toMatch(/\npods of ledger keep running: NODE_COUNT changed spec\.replicas/);
    expect(stage.writes.slice(writes)).toEqual([]);
  });

  it('shows whose pods a change restarts, by which parameter and through which object', async () => {
    await using stage = await installed();
    const { out } = await stage.run('diff', '--instance', 'ledger', '-p', 'CURRENCY=CHF');
    expect(out).toContain('it demands that pods restart\n');
    expect(out).toContain('pods of ledger restart because CURRENCY changed ledger.conf in ConfigMap ledger-settings\n');
    const { restarts, plan, changed } = JSON.parse(
      (await stage.run('diff', '--instance', 'ledger', '-p', 'CURRENCY=CHF', '-o', 'json')).out,
    );
    expect([plan, changed]).toEqual(['deploy', ['CURRENCY']]);
    expect(restarts).toMatchObject([
      { workload: { kind: 'StatefulSet', name: 'ledger' }, restarts: true, reason: 'forced' },
    ]);
  });

  it('sees what others changed on the live object: setting that right restarts pods, too', async () => {
    await using stage = await installed();
    const body = { spec: { template: { spec: { terminationGracePeriodSeconds: 77 } } } };
    const sets = stage.client.resource<AnyObject>(kinds.statefulSets);
    await sets.patch({ namespace: 'default', name: 'ledger' }, { type: 'merge', body });
    const { out } = await stage.run('diff', '--instance', 'ledger', '-p', 'NODE_COUNT=4');
    expect(out).toMatch(/pods of ledger restart because its pod template changes: .*terminationGracePeriodSeconds/);
    expect(out).not.toContain('keep running');
  });

  it('says what is created because it is not there, and refuses what the operator would refuse', async () => {
    await using stage = await installed();
    await stage.client.resource(kinds.statefulSets).delete({ namespace: 'default', name: 'ledger' });
    const { out } = await stage.run('diff', '--instance', 'ledger', '-p', 'NODE_COUNT=4');
    expect(out).toContain('StatefulSet ledger: created\n');
    const bad = await stage.run('diff', '--instance', 'ledger', '-p', 'NODE_COUNT=four');
    expect([bad.code, bad.err]).toEqual([
      1,
      expect.stringContaining('parameter "NODE_COUNT" has an invalid value "four"'),
    ]);
    const same = await stage.run('diff', '--instance', 'ledger', '-p', 'NODE_COUNT=4', '--unset', 'NODE_COUNT');
    expect(same.code).toBe(0);
    const nothing = await stage.run('diff', '--instance', 'ledger');
    expect([nothing.out, nothing.code]).toEqual(['nothing changes that a plan would have to apply\n', 0]);
  });

  it('compares the package of an upgrade with what is installed', async () => {
    await using stage = await CommandStage.open({ cwd: join(packagesFolder, '02-statefulset') });
    await stage.run('install', './package', '--instance', 'st');
    await stage.report('st', {});
    await stage.create(...objectsIn((await stage.run('render', '--instance', 'st')).out));
    const { out, code } = await stage.run('diff', './package-v2', '--instance', 'st');
    expect(code).toBe(0);
    expect(out).toMatch(/^plan upgrade would run \(upgrade\); it demands that pods restart\n/);
    const quiet = await stage.run('diff', './package-v2', '--instance', 'st', '--no-restart');
    expect(quiet.out).toMatch(/^plan upgrade would run \(upgrade\); it demands no restart of pods\n/);
  });

  it('hides the values of Secrets, and still shows which of them change', async () => {
    await using stage = await CommandStage.open({ init: false, cwd: join(packagesFolder, '03-deployment') });
    const { out } = await stage.run('diff', './package', '-p', 'TOKEN=very-secret');
    expect(out).toMatch(/Secret \S+: changed\n/);
    expect(out).toMatch(/\n- +\w+: "?\*\*\* \(before\)"?\n\+ +\w+: "?\*\*\* \(after\)"?\n/);
    expect(out).not.toContain('very-secret');
    expect(out).not.toContain(Buffer.from('very-secret').toString('base64'));
  });
});

describe('graph', () => {
  it('shows what a parameter reaches, down to the pods', async () => {
    await using stage = await CommandStage.open({ init: false, cwd: ledger });
    const { out } = await stage.run('graph', '.', '--of', 'CURRENCY');
    expect(
      out
        .split('\n')
        .slice(0, 6)
        .map((line) => line.replaceAll('\u00a0', ' ')),
    ).toEqual([
      '.',
      '└── CURRENCY (a change restarts pods)',
      '    ├── runs plan deploy',
      expect.stringMatching(/^ {4}└── template config-map\.yaml:\d+$/),
      '        └── ConfigMap ledger-instance-settings: data["ledger.conf"]',
      '            ├── used by pods of StatefulSet ledger-instance (volume)',
    ]);
    const graph = JSON.parse((await stage.run('graph', '.', '-o', 'json')).out);
    expect(graph.edges).toContainEqual(
      expect.objectContaining({ from: 'param/NODE_COUNT', type: 'triggers', to: 'plan/deploy' }),
    );
    expect((await stage.run('graph', '.', '--of', 'CURENCY')).err).toContain('Did you mean "CURRENCY"?');
  });

  it('also knows what is only in the cluster', async () => {
    await using stage = await installed();
    const { out, code } = await stage.run('graph', '--instance', 'ledger', '-o', 'yaml');
    expect(code).toBe(0);
    expect(out).toContain('id: workload/StatefulSet/ledger\n');
  });
});
