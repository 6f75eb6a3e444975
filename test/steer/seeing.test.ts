import { describe, expect, it } from 'vitest';
import { KubeError } from '../../src/kube/error.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { instance } from '../../src/kudo/resources/instance.ts';
import { complete, failed, ledger, ledgerVersion, running } from './ledger.ts';
import { SteerStage } from './steer-stage.ts';

async function stageWithLedger(): Promise<SteerStage> {
  const stage = await SteerStage.open('kudo');
  await stage.create(ledgerVersion, ledger('ledger'));
  await stage.report('Instance', 'ledger', complete);
  return stage;
}

const joe = { name: 'joe', groups: ['system:authenticated'] };

describe('list', () => {
  it('shows those first that need somebody, and loads nothing of what the cluster has not', async () => {
    await using stage = await stageWithLedger();
    await stage.create(ledger('archive'));
    await stage.report('Instance', 'archive', running);
    const { out, code } = await stage.run('list');
    const [header, first, second, ...rest] = out.trimEnd().split('\n');
    expect(header).toMatch(/^NAME +KIND +STATUS +SERVING +AGE +INFO$/);
    expect([first, second]).toEqual([
      expect.stringMatching(/^archive +Instance +◌ progressing /),
      expect.stringMatching(/^ledger +Instance +✔ healthy /),
    ]);
    expect([rest, code, stage.loaded]).toEqual([[], 0, ['Instance']]);
    expect(stage.writes).toEqual([]);
  });

  it('filters, prints JSON, and says so when there is nothing', async () => {
    await using stage = await stageWithLedger();
    expect(JSON.parse((await stage.run('list', 'instances', '-o', 'json')).out)).toMatchObject([
      { subject: { family: 'kudo', kind: 'Instance', name: 'ledger' }, phase: 'healthy' },
    ]);
    const none = await stage.run('list', '--filter', 'in-transition', '-A');
    expect(none).toMatchObject({ out: '', err: 'no workload that is in-transition in any namespace\n', code: 0 });
    expect((await stage.run('list', 'instnce')).err).toContain(
      'no kind of workload is called "instnce". Did you mean "instance" or "instances"?',
    );
  });

  it('says what to install in a cluster that has none of the kinds', async () => {
    await using stage = await SteerStage.open();
    const { err, code } = await stage.run('list');
    expect(code).toBe(1);
    expect(err).toMatch(
      /^Error: the cluster does not know FlinkBlueGreenDeployment, .*Instance; .*kubectl apply --server-side -f crds\/\n$/,
    );
  });

  it('says which permission is missing', async () => {
    await using stage = await stageWithLedger();
    const { err, code } = await stage.type({ user: joe }, 'list').ended();
    expect([err.split('\n').length, code]).toEqual([2, 1]);
    expect(err).toMatch(/kubectl auth can-i list instances\.kudo\.dev -n default\n$/);
  });

  it('shows what a person may see, and warns only of kinds that are there', async () => {
    await using stage = await SteerStage.open('kudo', 'flink');
    await stage.create(ledgerVersion, ledger('ledger'));
    const rbac = 'rbac.authorization.k8s.io';
    const rules = [{ apiGroups: ['kudo.dev'], resources: ['instances'], verbs: ['list'] }];
    const subjects = [{ kind: 'User', name: 'joe', apiGroup: rbac }];
    const roleRef = { kind: 'ClusterRole', name: 'see', apiGroup: rbac };
    await stage.create(
      { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name: 'see' }, rules } as KubeObject,
      {
        ...{ apiVersion: `${rbac}/v1`, kind: 'ClusterRoleBinding', metadata: { name: 'see' } },
        ...{ subjects, roleRef },
      },
    );
    const { out, err, code } = await stage.type({ user: joe }, 'list').ended();
    expect(code).toBe(0);
    expect(out).toContain('ledger');
    expect(err).toContain('kubectl auth can-i list flinkdeployments.flink.apache.org');
    expect(err).not.toContain('cfapps');
  });

  it('says in one line that the cluster cannot be reached', async () => {
    await using stage = await SteerStage.open();
    const refuse = async (): Promise<never> => {
      throw new KubeError('unreachable', 'GET /apis: connect ECONNREFUSED 127.0.0.1:1');
    };
    const transport = { request: refuse, connect: refuse, close: async () => {} };
    const { err, code } = await stage.type({ transport }, 'list').ended();
    expect([err, code]).toEqual([
      'Error: the cluster cannot be reached: GET /apis: connect ECONNREFUSED 127.0.0.1:1; see whether it runs and whom the kubeconfig means: kubectl cluster-info\n',
      1,
    ]);
  });
});

describe('get', () => {
  it('answers the five questions, by name or by kind and name', async () => {
    await using stage = await stageWithLedger();
    const { out } = await stage.run('get', 'ledger');
    expect(out).toMatch(/^Name: +default\/ledger +Instance\nStatus: +✔ healthy \(deploy COMPLETE\)/);
    for (const label of ['Serves', 'Changing', 'Progress', 'If stopped', 'Next'])
      expect(out).toMatch(new RegExp(`^${label}: +\\S`, 'm'));
    expect(out).toMatch(/You can:\n {2}cutover \w+ Instance\/ledger -n default/);
    for (const words of [['Instance/ledger'], ['instance', 'ledger'], ['ledger', '-A']]) {
      const other = (await stage.run('get', ...words)).out;
      // Time goes on.
      expect(other.replaceAll(/\d+s\b/g, '')).toBe(out.replaceAll(/\d+s\b/g, ''));
    }
    expect(JSON.parse((await stage.run('get', 'ledger', '-o', 'json')).out)).toMatchObject({
      portrait: { subject: { name: 'ledger' }, answers: { next: expect.any(String) } },
      offers: expect.any(Array),
    });
  });

  it('calls the program as the person does', async () => {
    await using stage = await stageWithLedger();
    const { out } = await stage.type({ program: 'kubectl cutover' }, 'get', 'ledger').ended();
    expect(out).toMatch(/You can:\n {2}kubectl cutover \w+ Instance\/ledger -n default/);
    expect((await stage.type({ program: 'kubectl cutover' }, 'get', '--help').ended()).out).toContain(
      'Usage: kubectl cutover get',
    );
  });

  it('suggests near names, and other namespaces', async () => {
    await using stage = await stageWithLedger();
    expect(await stage.run('get', 'leger')).toMatchObject({
      err: 'Error: no workload in namespace "default" is called "leger". Did you mean "ledger"?\n',
      code: 1,
    });
    expect((await stage.run('get', 'ledger', '-n', 'kube-system')).err).toContain(
      'There is one in namespace default: add -n default',
    );
    expect((await stage.run('get', 'x\u001b[2J')).err).toContain('"x\\\\u001b[2J"');
  });

  it('lists the candidates of a name that several have', async () => {
    await using stage = await SteerStage.open('kudo');
    await stage.create(ledgerVersion, ledger('ledger'), {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'other' },
    });
    await stage.create(ledger('ledger', {}, 'other'));
    expect((await stage.run('get', 'ledger', '-A')).err).toBe(
      'Error: "ledger" is the name of several workloads; say which: Instance/ledger -n default, Instance/ledger -n other\n',
    );
  });

  it('takes no workload for another that people call by its name', async () => {
    await using stage = await SteerStage.open('kudo', 'cloudfoundry');
    const app = (name: string, displayName: string): KubeObject & { readonly spec: object } => ({
      apiVersion: 'korifi.cloudfoundry.org/v1alpha1',
      kind: 'CFApp',
      metadata: { name, namespace: 'default' },
      spec: { displayName, desiredState: 'STOPPED', lifecycle: { type: 'docker' } },
    });
    await stage.create(ledgerVersion, ledger('ledger'), app('guid', 'ledger'), app('shop', 'other'));
    expect(await stage.run('restart', 'ledger', '--yes')).toMatchObject({
      err: 'Error: "ledger" is the name of several workloads; say which: Instance/ledger -n default, CFApp/guid -n default\n',
      code: 1,
    });
    expect((await stage.run('get', 'instance/ledger')).out).toContain('default/ledger   Instance');
    expect((await stage.run('get', 'app/ledger')).out).toContain('ledger, default/guid   CFApp');
    await stage.create(app('trap', 'bait'), app('real', 'trap'));
    const { err } = await stage.run('get', 'app/trap');
    expect(err).toContain('say which: CFApp/bait -n default, CFApp/real -n default');
    expect((await stage.run('get', 'app/bait')).out).toContain('bait, default/trap');
  });

  it('shows hostile messages as what they are', async () => {
    await using stage = await stageWithLedger();
    await stage.report('Instance', 'ledger', failed);
    const { out } = await stage.run('get', 'ledger');
    expect(out).toContain('✖ failed');
    expect(out).not.toContain('\u001b');
  });

  it('tells what is different, line by line, when nobody looks at a terminal', async () => {
    await using stage = await stageWithLedger();
    const watching = stage.type({}, 'get', 'ledger', '-w');
    await stage.until(() => watching.said().out.includes('You can:'));
    await stage.report('Instance', 'ledger', running);
    await stage.until(() => /^\d\d:\d\d:\d\d {2}◌ progressing \(deploy IN_PROGRESS\)/m.test(watching.said().out));
    watching.stop();
    const { out, code } = await watching.ended();
    expect(code).toBe(0);
    expect(out.match(/^Name:/gm)).toHaveLength(1);
    expect(out).not.toContain('\u001b');
  });

  it('redraws a terminal at most five times a second, at least every second, and gives the cursor back', async () => {
    await using stage = await stageWithLedger();
    const watching = stage.type({ isTerminal: true }, 'get', 'ledger', '-w', '--no-color');
    const frames = (): number => watching.said().out.split('\u001b[H').length - 1;
    await stage.until(() => frames() >= 1);
    const before = frames();
    for (let change = 0; change < 10; change++)
      await stage.report('Instance', 'ledger', change % 2 ? complete : running);
    await stage.clock.advance(190);
    expect(frames() - before).toBeLessThanOrEqual(1);
    await stage.report('Instance', 'ledger', running);
    await stage.until(() => watching.said().out.includes('◌ progressing'));
    watching.stop();
    const { out } = await watching.ended();
    expect(out.startsWith('\u001b[?1049h\u001b[?25l\u001b[H')).toBe(true);
    expect(out.indexOf('\u001b[?25h')).toBeGreaterThan(out.lastIndexOf('\u001b[H'));
    expect(out.split('\u001b[?1049l')[1]).toMatch(/^Name: +default\/ledger/);
  });

  it('ends when the object is gone', async () => {
    await using stage = await stageWithLedger();
    const watching = stage.type({}, 'get', 'ledger', '-w');
    await stage.until(() => watching.said().out.includes('You can:'));
    await stage.client.resource(instance.type).delete({ namespace: 'default', name: 'ledger' });
    expect((await watching.ended()).err).toBe('Instance ledger is gone\n');
  });
});

describe('status', () => {
  it('ends with 0 when it has settled, and prints a line only when it reads differently', async () => {
    await using stage = await stageWithLedger();
    await stage.report('Instance', 'ledger', running);
    const waiting = stage.type({}, 'status', 'ledger');
    await stage.until(() => waiting.said().out.includes('progressing'));
    await stage.clock.advance(5000);
    await stage.client
      .resource(instance.type)
      .status.patch({ namespace: 'default', name: 'ledger' }, { type: 'merge', body: { status: { execution: null } } });
    await stage.report('Instance', 'ledger', complete);
    const { out, code } = await waiting.ended();
    expect(out.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^Instance ledger ◌ progressing \(deploy IN_PROGRESS\): /),
      expect.stringMatching(/^Instance ledger ✔ healthy \(deploy COMPLETE\): /),
    ]);
    expect(code).toBe(0);
  });

  it('ends with 1 when it failed, 2 when time is up, 3 when a person is needed', async () => {
    await using stage = await stageWithLedger();
    await stage.report('Instance', 'ledger', failed);
    expect((await stage.run('status', 'ledger')).code).toBe(1);
    await stage.report('Instance', 'ledger', running);
    const late = await stage.run('status', 'ledger', '--timeout', '90s');
    expect([late.code, late.err]).toEqual([
      2,
      'not settled after 1m30s; it goes on without us: cutover get ledger -w\n',
    ]);
    await stage.run('pause', 'ledger');
    expect((await stage.run('status', 'ledger')).code).toBe(3);
    expect((await stage.run('status', 'ledger', '--timeout', 'soon')).err).toContain(
      'It must be a duration such as 90s',
    );
  });

  it('ends as other commands do when the person leaves', async () => {
    await using stage = await stageWithLedger();
    await stage.report('Instance', 'ledger', running);
    const waiting = stage.type({}, 'status', 'ledger');
    await stage.until(() => waiting.said().out.includes('progressing'));
    waiting.stop();
    expect(await waiting.ended()).toMatchObject({ code: 130, err: '' });
  });

  it('does not believe a status that is older than the specification', async () => {
    await using stage = await stageWithLedger();
    const patch = { type: 'merge', body: { spec: { parameters: { NODES: '5' } } } } as const;
    await stage.client.resource(instance.type).patch({ namespace: 'default', name: 'ledger' }, patch);
    expect((await stage.run('status', 'ledger', '--timeout', '10s')).code).toBe(2);
  });

  it('does not call it healthy for whoever stops reading before it has settled', async () => {
    await using stage = await stageWithLedger();
    await stage.report('Instance', 'ledger', running);
    const waiting = stage.type({}, 'status', 'ledger');
    await stage.until(() => waiting.said().out !== '');
    expect(waiting.said().code).toBe(2);
    waiting.stop();
    await waiting.ended();
  });

  it('waits for nobody who is paused, however old the status is', async () => {
    await using stage = await stageWithLedger();
    const body = { metadata: { annotations: { 'cutover.dev/paused': 'true' } }, spec: { parameters: { NODES: '5' } } };
    const resource = stage.client.resource(instance.type);
    await resource.patch({ namespace: 'default', name: 'ledger' }, { type: 'merge', body });
    expect((await stage.run('status', 'ledger', '--timeout', '10s')).code).toBe(3);
  });
});

describe('history, graph and why', () => {
  it('show what ran, what depends on what, and for whom a pod runs', async () => {
    await using stage = await stageWithLedger();
    expect((await stage.run('history', 'ledger')).out).toMatch(/AGO +WHAT +OUTCOME.*\n.*plan deploy +✔ COMPLETE +30s/);
    expect((await stage.run('graph', 'ledger')).out).toMatch(/^parameter NODES/m);
    expect((await stage.run('graph', 'ledger', '-o', 'dot')).out).toMatch(/^digraph \{/);
    expect((await stage.run('why', 'ledger-0')).err).toContain('there is no pod "ledger-0" in namespace "default"');
    const container = { name: 'main', image: 'app:1' };
    await stage.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'stray', namespace: 'default' },
      spec: { containers: [container] },
    } as never);
    expect((await stage.run('why', 'pod/stray')).err).toBe(
      'Error: pod stray runs for no workload that is known here\n',
    );
    expect((await stage.run('why', 'stary')).err).toContain('Did you mean "stray"?');
  });
});
