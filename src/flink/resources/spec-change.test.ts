import { describe, expect, it } from 'vitest';
import type { FlinkDeploymentSpec } from './flink-deployment.ts';
import type { JobSpec } from './job-spec.ts';
import type { PodTemplate } from './pod-template.ts';
import { deploymentChange, sessionJobChange, specChangedMessage } from './spec-change.ts';

type Spec = FlinkDeploymentSpec;

const job = (job: JobSpec): Spec => ({ job });
const configured = (flinkConfiguration: Spec['flinkConfiguration'] & object): Spec => ({ flinkConfiguration });

/** The same setting, written as nested maps. */
function nestedKey(key: string, value: string): Record<string, unknown> {
  const [first = '', ...rest] = key.split('.');
  return { [first]: rest.length > 0 ? nestedKey(rest.join('.'), value) : value };
}

describe('what an edit demands', () => {
  it.each<[what: string, from: Spec, to: Spec, native: string, standalone: string]>([
    ['another image', { image: 'a' }, { image: 'b' }, 'UPGRADE', 'UPGRADE'],
    ['an ingress', {}, { ingress: { template: 'x' } }, 'UPGRADE', 'UPGRADE'],
    ['another job', job({}), job({ jarURI: 'local:///a.jar' }), 'UPGRADE', 'UPGRADE'],
    ['suspending', job({ state: 'running' }), job({ state: 'suspended' }), 'UPGRADE', 'UPGRADE'],
    ['another parallelism', job({ parallelism: 1 }), job({ parallelism: 2 }), 'UPGRADE', 'SCALE'],
    ['TaskManagers', { taskManager: {} }, { taskManager: { replicas: 2 } }, 'UPGRADE', 'SCALE'],
    ['JobManagers', { jobManager: {} }, { jobManager: { replicas: 2 } }, 'UPGRADE', 'UPGRADE'],
    ['one JobManager spelled out', { jobManager: {} }, { jobManager: { replicas: 1 } }, 'IGNORE', 'IGNORE'],
    ['vertex overrides', {}, configured({ 'pipeline.jobvertex-parallelism-overrides': 'a:1' }), 'SCALE', 'UPGRADE'],
    ['an operator key', {}, configured({ kubernetes: { 'operator.x': 1 } }), 'IGNORE', 'IGNORE'],
    ['an autoscaler key', {}, configured({ job: { autoscaler: { enabled: true } } }), 'IGNORE', 'IGNORE'],
    ['the default parallelism', {}, configured({ 'parallelism.default': 3 }), 'IGNORE', 'IGNORE'],
    ['a key of Flink', {}, configured({ kubernetes: { 'rest-service.exposed.type': 'x' } }), 'UPGRADE', 'UPGRADE'],
    ['another upgrade mode', job({}), job({ upgradeMode: 'savepoint' }), 'IGNORE', 'IGNORE'],
    ['an initial savepoint', job({}), job({ initialSavepointPath: 's3://a' }), 'IGNORE', 'IGNORE'],
    ['a savepoint', job({}), job({ savepointTriggerNonce: 1 }), 'IGNORE', 'IGNORE'],
    ['a restart', { restartNonce: 1 }, { restartNonce: 2 }, 'UPGRADE', 'UPGRADE'],
    ['a nonce taken away', { restartNonce: 1 }, {}, 'IGNORE', 'IGNORE'],
    ['a savepoint redeploy', job({}), job({ savepointRedeployNonce: 1 }), 'SAVEPOINT_REDEPLOY', 'SAVEPOINT_REDEPLOY'],
    ['a stateless redeploy', job({}), job({ statelessRedeployNonce: 1 }), 'STATELESS_REDEPLOY', 'STATELESS_REDEPLOY'],
    ['a redeploy nonce taken away', job({ statelessRedeployNonce: 1 }), job({}), 'IGNORE', 'IGNORE'],
    [
      'both redeploys at once',
      job({ parallelism: 1 }),
      job({ savepointRedeployNonce: 2, statelessRedeployNonce: 2, parallelism: 2 }),
      'STATELESS_REDEPLOY',
      'STATELESS_REDEPLOY',
    ],
    ['defaults spelled out', job({}), job({ args: [], state: 'running', parallelism: 0 }), 'IGNORE', 'IGNORE'],
    ['nested keys instead of dotted', configured({ 'a.b': '1' }), configured({ a: { b: 1 } }), 'IGNORE', 'IGNORE'],
    ['a list instead of its text', configured({ a: 'x;y' }), configured({ a: ['x', 'y'] }), 'IGNORE', 'IGNORE'],
  ])('%s', (_, from, to, native, standalone) => {
    expect(deploymentChange(from, to, { mode: 'native' }).type).toBe(native);
    expect(deploymentChange(from, to, { mode: 'standalone' }).type).toBe(standalone);
  });

  it('takes the mode from the spec when nobody says it', () => {
    const edit = [job({ parallelism: 1 }), { ...job({ parallelism: 2 }), mode: 'standalone' }] as const;
    expect(deploymentChange({ ...edit[0], mode: 'standalone' }, edit[1]).type).toBe('SCALE');
  });

  it('is nothing where only fields differ that another version wrote', () => {
    const newer = {
      a: 1,
      job: { b: 1 },
      jobManager: { c: 1, resource: { d: 1 } },
      taskManager: { e: 1 },
      ingress: { f: 1 },
    };
    const known: Spec = { job: {}, jobManager: { resource: {} }, taskManager: {}, ingress: {} };
    expect(deploymentChange(newer as Spec, known)).toMatchObject({ type: 'IGNORE', changes: [], text: '' });
  });

  it('is the same for a session job', () => {
    const [from, to] = [
      { deploymentName: 'a', job: { parallelism: 1 } },
      { deploymentName: 'a', job: { parallelism: 2 } },
    ];
    expect(specChangedMessage(sessionJobChange(from, to))).toBe(
      'UPGRADE change(s) detected (Diff: FlinkSessionJobSpec[job.parallelism : 1 -> 2]), starting reconciliation.',
    );
  });
});

describe('pod templates', () => {
  const template = (podTemplate: PodTemplate): Spec => ({ podTemplate });
  const recorded = { spec: { containers: [{ name: 'a', resources: { limits: { cpu: '2' } } }] } };

  it.each<[string, PodTemplate]>([
    ['amounts as numbers', { spec: { containers: [{ name: 'a', resources: { limits: { cpu: 2 } } }] } }],
    ['the same amount', { spec: { containers: [{ name: 'a', resources: { limits: { cpu: '2000m' } } }] } }],
    [
      'empty lists and maps',
      {
        metadata: { labels: {} },
        spec: { tolerations: [], containers: [{ name: 'a', env: [], resources: { limits: { cpu: '2' } } }] },
      },
    ],
    ['the envelope of a Pod', { apiVersion: 'v1', kind: 'Pod', status: { phase: 'x' }, ...recorded }],
  ])('mean the same with %s', (_, written) => {
    // `metadata: {}` is an object of its own; the Java operator records it as such.
    const before = 'metadata' in written ? { metadata: {}, ...recorded } : recorded;
    expect(deploymentChange(template(before), template(written)).changes).toEqual([]);
    expect(deploymentChange({ taskManager: template(before) }, { taskManager: template(written) }).changes).toEqual([]);
  });

  it('are told without their envelope', () => {
    const [from, to] = [template({ kind: 'Pod' }), template({ kind: 'Other', spec: { hostname: 'a' } })];
    expect(deploymentChange(from, to).changes).toMatchObject([{ path: 'spec.podTemplate.spec' }]);
  });

  it('mean something else with an empty directory', () => {
    const { type } = deploymentChange(template({ spec: {} }), template({ spec: { emptyDir: {} } }));
    expect(type).toBe('UPGRADE');
  });
});

describe('the text of a change', () => {
  const text = (from: Spec, to: Spec) => deploymentChange(from, to).text;

  it('is empty when nothing changed', () => {
    expect(text(job({ args: ['a'] }), job({ args: ['a'] }))).toBe('');
  });

  it('tells what is gone in short and what is new in full', () => {
    expect(text({ ingress: { template: 'a' } }, {})).toBe('FlinkDeploymentSpec[ingress : {..} -> null]');
    expect(text({}, { taskManager: { resource: { cpu: 1 } } })).toBe(
      'FlinkDeploymentSpec[taskManager : null -> {"resource":{"cpu":1.0,"memory":null,"ephemeralStorage":null},"replicas":null,"podTemplate":null}]',
    );
  });

  it('writes names of maps as JSON pointers do, and empty text with its quotes', () => {
    const [from, to] = [
      { ingress: { annotations: { 'a/b': 'x', c: '' } } },
      { ingress: { annotations: { 'a/b': '' } } },
    ];
    expect(text(from, to)).toBe(
      'FlinkDeploymentSpec[ingress.annotations.a~1b : x -> "", ingress.annotations.c : {..} -> null]',
    );
  });

  it.each([
    [['a', 'b'], ['a', 'x', 'b'], 'job.args.1 : null -> x'],
    [['a', 'b', 'c'], ['a', 'c'], 'job.args.1 : b -> null'],
    [['a', 'b'], ['a', 'c'], 'job.args.1 : b -> c'],
    [[], ['a', 'b'], 'job.args.0 : null -> a, job.args.1 : null -> b'],
  ])('aligns lists: %j to %j', (from, to, lines) => {
    expect(text(job({ args: from }), job({ args: to }))).toBe(`FlinkDeploymentSpec[${lines}]`);
  });

  it('never shows the value of a secret key', () => {
    const [from, to] = [configured({ 's3.secret-key': 'hunter1' }), configured({ 's3.secret-key': 'hunter2' })];
    const change = deploymentChange(from, to);
    expect(change.text).toBe('FlinkDeploymentSpec[flinkConfiguration.s3.secret-key : (secret) -> (secret)]');
    expect(JSON.stringify(change)).not.toContain('hunter');
  });

  it.each(['kubernetes.operator.user.artifacts.http.header', 'containerized.master.env.KEY'])(
    'never shows the value of %s',
    (key) => {
      const edit = (value: string) => deploymentChange({}, { ...configured({ [key]: value }), image: 'b' });
      const nested = deploymentChange(configured({ [key]: 'hunter1' }), configured(nestedKey(key, 'hunter2')));
      for (const change of [edit('hunter1'), nested]) {
        expect(specChangedMessage(change)).toContain(key);
        expect(JSON.stringify(change)).not.toContain('hunter');
      }
    },
  );

  it('never shows what a variable of a pod holds, and tells that it changed', () => {
    const pod = (...env: readonly (readonly [string, string])[]): PodTemplate => {
      const variables = env.map(([name, value]) => ({ name, value }));
      return { spec: { containers: [{ name: 'main', env: variables }], initContainers: [{ env: variables }] } };
    };
    const [before, after] = [pod(['A', 'hunter1'], ['B', 'hunter2']), pod(['A', 'hunter3'], ['B', 'hunter2'])];
    const changes = [
      deploymentChange({ podTemplate: before }, { podTemplate: after }),
      deploymentChange({ taskManager: { podTemplate: before } }, { taskManager: { podTemplate: after } }),
      deploymentChange({ jobManager: { podTemplate: before } }, { jobManager: { podTemplate: pod(['B', 'hunter2']) } }),
      deploymentChange({}, { podTemplate: after, jobManager: { podTemplate: after } }),
    ];
    for (const change of changes) expect(JSON.stringify(change)).not.toContain('hunter');
    expect(changes.map((change) => change.text)).toMatchObject([
      'FlinkDeploymentSpec[podTemplate.spec.containers.0.env.0.value : (secret) -> (secret), ' +
        'podTemplate.spec.initContainers.0.env.0.value : (secret) -> (secret)]',
      expect.stringContaining('taskManager.podTemplate.spec.containers.0.env.0.value : (secret) -> (secret)'),
      expect.stringContaining('jobManager.podTemplate.spec.containers.0.env.0 : {..} -> null'),
      expect.stringContaining('{"name":"A","value":"(secret)"}'),
    ]);
  });

  it('tells long lists as a whole', () => {
    const args = Array.from({ length: 2000 }, (_, index) => `${index}`);
    expect(text(job({ args }), job({ args: args.toReversed() }))).toMatch(
      /^FlinkDeploymentSpec\[job\.args : \["0",.* -> \["1999",/,
    );
  });
});

describe('nonces', () => {
  it('are compared with the last value acted upon, which outlives their removal', () => {
    const nonces = { statelessRedeploy: 1, restart: 5 };
    expect(deploymentChange(job({}), { ...job({ statelessRedeployNonce: 1 }), restartNonce: 5 }, { nonces }).type).toBe(
      'IGNORE',
    );
    expect(deploymentChange(job({}), job({ statelessRedeployNonce: 2 }), { nonces }).type).toBe('STATELESS_REDEPLOY');
  });

  it('of a job do not make a session cluster an application', () => {
    expect(deploymentChange({}, {}, { nonces: { statelessRedeploy: 1 } }).changes).toEqual([]);
  });
});
