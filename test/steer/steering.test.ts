import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import { blueGreenSample } from '../../src/flink/blue-green-sample.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { complete, failed, ledger, ledgerNodes, ledgerVersion } from './ledger.ts';
import { SteerStage } from './steer-stage.ts';

async function stageWithLedger(): Promise<SteerStage> {
  const stage = await SteerStage.open('kudo');
  await stage.create(ledgerVersion, ledger('ledger'));
  await stage.report('Instance', 'ledger', complete);
  return stage;
}

const joe = { name: 'joe', groups: ['system:authenticated'] };

/** Somebody who may look at everything and change nothing. */
async function letJoeLook(stage: SteerStage): Promise<void> {
  const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] }];
  const rbac = 'rbac.authorization.k8s.io';
  const look = { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name: 'look' }, rules };
  const subjects = [{ kind: 'User', name: 'joe', apiGroup: rbac }];
  const roleRef = { kind: 'ClusterRole', name: 'look', apiGroup: rbac };
  const binding = {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'look' },
    subjects,
    roleRef,
  };
  await stage.client.resource<KubeObject>(kinds.clusterRoles).create(look);
  await stage.client.resource<KubeObject>(kinds.clusterRoleBindings).create(binding);
}

describe('verbs', () => {
  it('write what the family asks for, and say what follows', async () => {
    await using stage = await stageWithLedger();
    const { out, code } = await stage.run('pause', 'ledger');
    expect(code).toBe(0);
    expect(out).toMatch(/^Instance ledger: \S.*\n$/);
    expect(stage.writes).toEqual([
      'PATCH /apis/kudo.dev/v1beta1/namespaces/default/instances/ledger?fieldManager=cutover',
    ]);
    expect((await stage.run('list', '--filter', 'paused')).out).toContain('ledger');
    expect((await stage.run('resume', 'ledger')).code).toBe(0);
    expect((await stage.run('list', '--filter', 'healthy')).out).toContain('ledger');
  });

  it('that mean nothing now are refused with a reason, and nothing is written', async () => {
    await using stage = await stageWithLedger();
    const { err, code } = await stage.run('resume', 'ledger');
    expect(code).toBe(1);
    expect(err).toMatch(/^Error: Instance ledger: \S.*\n$/);
    expect((await stage.run('promote', 'ledger')).err).toMatch(/^Error: Instance ledger has no promote; what it has: /);
    expect(stage.writes).toEqual([]);
  });

  it('take no wish that they would not heed', async () => {
    await using stage = await stageWithLedger();
    const { err, code } = await stage.run('pause', 'ledger', '--stateless');
    expect([code, err]).toEqual([1, "error: unknown option '--stateless'\n"]);
    expect(stage.writes).toEqual([]);
  });

  it('ask first where something is at stake, and refuse when nobody can be asked', async () => {
    await using stage = await SteerStage.open('flink');
    const [orders] = parseAllDocuments(blueGreenSample.manifest).map((document) => document.toJS() as KubeObject);
    await stage.create(orders ?? expect.fail());
    const status = { blueGreenState: 'ACTIVE_BLUE', jobStatus: { state: 'RUNNING' }, lastReconciledSpec: '{}' };
    await stage.report('FlinkBlueGreenDeployment', 'orders', status);
    const alone = await stage.run('suspend', 'orders');
    expect(alone.err).toMatch(/Nobody is here to be asked: say --yes if that is meant\n$/);
    const no = await stage.type({ answer: 'no' }, 'suspend', 'orders').ended();
    expect([no.code, no.err]).toEqual([1, 'Error: not done\n']);
    expect(stage.writes).toEqual([]);
    const yes = await stage.type({ answer: 'yes' }, 'suspend', 'orders').ended();
    expect(yes.out).toMatch(/\[y\/N\] FlinkBlueGreenDeployment orders: /);
    expect(stage.writes).toHaveLength(1);
  });

  it('say which permission is missing', async () => {
    await using stage = await stageWithLedger();
    await letJoeLook(stage);
    const { err, code } = await stage.type({ user: joe }, 'pause', 'ledger').ended();
    expect(code).toBe(1);
    expect(err).toMatch(/kubectl auth can-i patch instances\.kudo\.dev -n default\n$/);
  });

  it('with --wait do not take what was true before for the answer', async () => {
    await using stage = await stageWithLedger();
    await stage.report('Instance', 'ledger', failed);
    const retrying = stage.type({}, 'retry', 'ledger', '--yes', '--wait', '--timeout', '60s');
    await stage.until(() => retrying.said().out.includes('◌ progressing'));
    await stage.clock.advance(1500);
    await stage.report('Instance', 'ledger', complete);
    expect((await retrying.ended()).code).toBe(0);
  });
});

describe('plan', () => {
  const text = (...objects: readonly KubeObject[]): string =>
    objects.map((object) => `---\n${stringify(object)}`).join('');

  it('tells what a manifest would do by a dry run, and writes nothing', async () => {
    await using stage = await stageWithLedger();
    const before = await stage.get('Instance', 'ledger');
    const input = text(ledger('ledger', { NODES: '5' }));
    const { out, code } = await stage.type({ input }, 'plan', '-f', '-').ended();
    expect(out).toMatch(/^Instance default\/ledger: changes without a restart\n/);
    expect(out).toMatch(/~ spec\.parameters\.NODES .*→ 5/);
    expect(out).toMatch(/This is a plan: nothing was changed\.\n$/);
    expect(code).toBe(2);
    expect(stage.writes).toHaveLength(1);
    for (const write of stage.writes) expect(write).toContain('dryRun=All');
    expect(await stage.get('Instance', 'ledger')).toEqual(before);
  });

  it('creates nothing either', async () => {
    await using stage = await SteerStage.open('kudo');
    const input = text(ledgerVersion, ledger('fresh'));
    const { out, err, code } = await stage.type({ input }, 'plan', '-f', '-', '-o', 'json').ended();
    expect(JSON.parse(out)).toMatchObject({ subject: { kind: 'Instance', name: 'fresh' }, problems: [] });
    expect(err).toContain('not planned, for they are no workloads: OperatorVersion ledger-1.0.0');
    expect([2, 3]).toContain(code);
    for (const write of stage.writes) expect(write).toContain('dryRun=All');
    await expect(stage.get('Instance', 'fresh')).rejects.toThrow('not found');
  });

  it('plans a patch of a live object, and restarts are another exit code', async () => {
    await using stage = await stageWithLedger();
    await stage.create(ledgerNodes);
    const { out, code } = await stage.run('plan', '--patch', 'spec: {parameters: {TAG: "2"}}', '--', 'Instance/ledger');
    expect(out).toContain('~ spec.parameters.TAG');
    expect(out).toContain('↻');
    expect(code).toBeGreaterThanOrEqual(3);
    expect((await stage.get('Instance', 'ledger')).spec).not.toMatchObject({ parameters: { TAG: '2' } });
    expect((await stage.run('plan', '--patch', '{}', 'ledger')).code).toBe(0);
  });

  it('removes what kubectl apply would remove', async () => {
    await using stage = await SteerStage.open('kudo');
    const applied = ledger('ledger', { NODES: '5' });
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(applied) };
    await stage.create(ledgerVersion, { ...applied, metadata: { ...applied.metadata, annotations } });
    await stage.report('Instance', 'ledger', {
      ...complete,
      accepted: { ...complete.accepted, parameters: { NODES: '5' } },
    });
    const { out } = await stage.type({ input: text(ledger('ledger')) }, 'plan', '-f', '-').ended();
    expect(out).toMatch(/spec\.parameters\.NODES .*5 → /);
  });

  it('refuses what the server or the webhook would refuse', async () => {
    await using stage = await stageWithLedger();
    const nonsense = { ...ledger('ledger'), spec: { operatorVersion: { name: 'ledger-9.9.9' } } } as KubeObject;
    const { out, code } = await stage.type({ input: text(nonsense) }, 'plan', '-f', '-').ended();
    expect(out).toMatch(/^Instance default\/ledger: refused\n/);
    expect(out).toContain('ledger-9.9.9');
    expect(code).toBe(1);
    const wrong = { ...ledger('ledger'), spec: { operatorVersion: 7 } } as unknown as KubeObject;
    expect((await stage.type({ input: text(wrong) }, 'plan', '-f', '-').ended()).code).toBe(1);
  });

  it('does not take a field that nobody knows for no change', async () => {
    await using stage = await stageWithLedger();
    const patch = 'spec: {parametres: {NODES: "5"}}';
    const { out, code } = await stage.run('plan', '--patch', patch, '--', 'Instance/ledger');
    expect([out.includes('unknown field "spec.parametres"'), code]).toEqual([true, 1]);
    const { spec, ...rest } = ledger('ledger') as KubeObject & { readonly spec: object };
    const mistyped = { ...rest, spec: { ...spec, parametres: {} } } as KubeObject;
    expect((await stage.type({ input: text(mistyped) }, 'plan', '-f', '-').ended()).code).toBe(1);
  });

  it('has the exit code of the worst of several', async () => {
    await using stage = await stageWithLedger();
    await stage.create(ledger('archive'));
    await stage.report('Instance', 'archive', complete);
    const input = text(ledger('ledger'), ledger('archive', { NODES: '5' }));
    const { out, code } = await stage.type({ input }, 'plan', '-f', '-', '-o', 'json').ended();
    expect(JSON.parse(out)).toMatchObject([{ risk: 'none' }, { risk: 'quiet' }]);
    expect(code).toBe(2);
  });

  it('says so when it may not ask, and what to do instead', async () => {
    await using stage = await stageWithLedger();
    await letJoeLook(stage);
    const { err, code } = await stage
      .type({ user: joe, input: text(ledger('ledger', { NODES: '5' })) }, 'plan', '-f', '-')
      .ended();
    expect(code).toBe(1);
    expect(err).toMatch(/^Error: the server may not be asked what it would store: .*--offline\n$/);
  });

  it('needs no cluster with --offline, and says of kinds that nobody knows that they are not planned', async () => {
    await using stage = await SteerStage.open();
    const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'other' } };
    const input = text(ledgerVersion, ledger('fresh'), config);
    const refuse = (): never => expect.fail('the cluster was asked');
    const transport = { request: refuse, connect: refuse, close: async () => {} };
    const { out, err, code } = await stage.type({ input, transport }, 'plan', '--offline', '-f', '-').ended();
    expect(out).toMatch(/^Instance default\/fresh: /);
    expect(err).toContain('planned without a cluster: every object counts as new\n');
    expect(err).toContain('not planned, for they are no workloads: OperatorVersion ledger-1.0.0, ConfigMap other');
    expect(code).not.toBe(1);
    expect(stage.loaded).toEqual(['kudo']);
  });

  it('says what to install when the cluster does not have the kind', async () => {
    await using stage = await SteerStage.open();
    const { err, code } = await stage.type({ input: text(ledger('fresh')) }, 'plan', '-f', '-').ended();
    expect([err, code]).toEqual([
      'Error: the cluster does not know Instance; install the definitions: kubectl apply --server-side -f crds/\n',
      1,
    ]);
  });

  it('says what is wrong with the command', async () => {
    await using stage = await SteerStage.open('kudo');
    expect((await stage.run('plan')).err).toContain('say what to plan: -f FILE');
    expect((await stage.run('plan', '-f', '/nowhere.yaml')).err).toContain(
      "ENOENT: no such file or directory, open '/nowhere.yaml'",
    );
    expect((await stage.type({ input: 'a: [' }, 'plan', '-f', '-').ended()).err).toContain(
      'standard input is not YAML',
    );
  });
});

describe('report', () => {
  it('is one file without secrets, and is never written over', async () => {
    await using stage = await stageWithLedger();
    const folder = await mkdtemp(join(tmpdir(), 'report-'));
    const file = join(folder, 'report.yaml');
    await stage.create(ledger('archive', { DB_PASSWORD: 'geheim' }), {
      ...{ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'cutover', namespace: 'default' } },
      ...{ spec: { holderIdentity: 'operator-0_b7d1', leaseDurationSeconds: 15 } },
    });
    const { out } = await stage.run('report', '-o', file);
    expect(out).toMatch(/^wrote .*report\.yaml \(\d+ KiB\); read it before you send it to anybody\n$/);
    const text = await readFile(file, 'utf8');
    expect(text).not.toContain('geheim');
    const [head, ...parts] = parseAllDocuments(text).map((document) => document.toJS());
    expect(head).toMatchObject({ report: 'cutover', version: '1.2.3', families: ['kudo'], workloads: 2 });
    expect(parts).toContainEqual(
      expect.objectContaining({
        workload: 'Instance/ledger',
        page: expect.objectContaining({ portrait: expect.anything() }),
      }),
    );
    const leading = expect.objectContaining({ lease: 'default/cutover', log: [] });
    expect(parts.at(-1)).toEqual({ operator: [leading] });
    await writeFile(join(folder, 'mine.yaml'), 'mine');
    expect((await stage.run('report', '-o', join(folder, 'mine.yaml'))).err).toContain('is there already');
    expect(await readdir(folder)).toEqual(['mine.yaml', 'report.yaml']);
  });
});

describe('completion', () => {
  it('proposes words, options, their values and names', async () => {
    await using stage = await stageWithLedger();
    const proposed = async (...typed: readonly string[]): Promise<readonly string[]> => {
      return (await stage.run('completion', 'words', '--', ...typed)).out.trimEnd().split('\n');
    };
    expect(await proposed('re')).toEqual(
      ['report', 'restart', 'resume', 'retry', 'rollback'].filter((word) => word.startsWith('re')),
    );
    expect(await proposed('get', 'le')).toEqual(['ledger']);
    expect(await proposed('list', '--fi')).toEqual(['--filter']);
    expect(await proposed('list', '-o', '')).toEqual(['json', 'wide', 'yaml']);
    for (const shell of ['bash', 'zsh', 'fish'])
      expect((await stage.run('completion', shell)).out).toContain('cutover completion words --');
    expect((await stage.run('completion', 'tcsh')).code).toBe(1);
  });
});
