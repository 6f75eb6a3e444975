import { describe, expect, it } from 'vitest';
import { blueGreenSpecCodec } from '../resources/blue-green-spec.ts';
import type { FlinkDeploymentSpec } from '../resources/flink-deployment.ts';
import { ownBlueGreenRules, validateBlueGreen } from './blue-green.ts';
import type { BlueGreenContext } from './blue-green-subject.ts';
import { templateRules } from './blue-green-template.ts';
import type { DeploymentContext } from './deployment.ts';
import { deploymentExamples } from './deployment-examples.fixture.ts';
import { blueGreen, type Edits, type Example, edited, expectRefusal, operator } from './example.fixture.ts';

const template = 'spec.template.spec';
const conf = (key: string): string => `${template}.flinkConfiguration[${key}]`;
const setting = (name: string): string => `spec.configuration[kubernetes.operator.bluegreen.${name}]`;
const directories: Edits = {
  [conf('execution.checkpointing.dir')]: 's3://b/cp',
  [conf('execution.checkpointing.savepoint-dir')]: 's3://b/sp',
};
const recorded = blueGreen.spec;

const examples: Readonly<Record<string, Example<BlueGreenContext>>> = {
  'blue-green-name': {
    refused: { 'metadata.name': 'a'.repeat(40) },
    accepted: { 'metadata.name': 'a'.repeat(39) },
    value: '40 characters',
    says: 'at most 39',
  },
  'template-spec': {
    refused: { 'spec.template': { metadata: {} } },
    accepted: {},
    value: 'absent',
    says: 'what a FlinkDeployment has as its spec',
  },
  'template-job': {
    refused: { [`${template}.job`]: undefined },
    accepted: {},
    value: 'absent',
    says: 'state "suspended" to stop it',
  },
  'template-metadata': {
    refused: { 'spec.template.metadata.labels': { team: 'two words' } },
    accepted: { 'spec.template.metadata': { labels: { 'example.com/team': 'a' }, annotations: { note: 'two words' } } },
    field: 'spec.template.metadata.labels[team]',
    value: 'labels[team]',
    says: 'alphanumeric characters',
  },
  'template-reserved': {
    refused: { 'spec.template.metadata.annotations': { 'cutover.dev/kept': 'abc/1' } },
    accepted: {
      'spec.template.metadata': { labels: { 'cutover.dev': 'a' }, annotations: { 'my.cutover.dev/kept': 'b' } },
    },
    field: 'spec.template.metadata.annotations[cutover.dev/kept]',
    value: '"abc/1"',
    says: 'belongs on the resource itself',
  },
  'template-selected': {
    context: {
      operator: { ...operator, settings: { ...operator.settings, 'kubernetes.operator.label.selector': 'team=a' } },
    },
    refused: { 'spec.template.metadata': { labels: { team: 'b' } } },
    accepted: { 'spec.template.metadata': { labels: { team: 'a', more: 'of' } } },
    value: '"team=a"',
    says: 'kubernetes.operator.label.selector',
  },
  'blue-green-key': {
    refused: { [setting('abort.graceperiod')]: '5 min' },
    accepted: { [setting('reconciliation.reschedule-interval')]: '15s' },
    field: setting('abort.graceperiod'),
    value: 'abort.graceperiod',
    says: 'Rename it to kubernetes.operator.bluegreen.abort.grace-period',
  },
  'blue-green-value': {
    refused: { [setting('abort.grace-period')]: '600' },
    accepted: { [setting('abort.grace-period')]: '10 min' },
    field: setting('abort.grace-period'),
    value: '"600"',
    says: 'Write "600 ms" if milliseconds are meant, as the Java operator reads it, or "600 s" or "600 min"',
  },
  'preview-ingress': {
    with: { [setting('preview-ingress')]: 'true' },
    refused: {},
    accepted: { 'spec.ingress.template': '{{name}}.example.com' },
    value: 'is true',
    says: 'Write spec.ingress.template',
  },
  'active-ingress-template': {
    refused: { 'spec.ingress.className': 'nginx' },
    accepted: { 'spec.ingress.template': '/{{namespace}}/{{name}}(/|$)(.*)' },
    value: 'absent',
    says: '{{name}}.{{namespace}}.example.com',
  },
  'active-ingress-template-url': {
    refused: { 'spec.ingress.template': 'https://:8443' },
    accepted: { 'spec.ingress.template': 'https://{{name}}.example.com:8443/flink' },
    value: 'https://:8443',
    says: 'neither a host nor a path',
  },
  'transition-savepoint-directory': {
    with: { [conf('execution.checkpointing.dir')]: 's3://b/cp', [`${template}.job.upgradeMode`]: 'last-state' },
    refused: {},
    accepted: directories,
    value: 'is last-state',
    says: 'Write "execution.checkpointing.savepoint-dir: s3://…"',
  },
  'fixed-job-id': {
    refused: { [conf('$internal.pipeline.job-id')]: '00000000000000000000000000000001' },
    accepted: {},
    value: '"00000000000000000000000000000001"',
    says: 'Remove it from spec.template.spec.flinkConfiguration',
  },
  'side-recovery-metadata': {
    refused: { [conf('high-availability.type')]: 'zookeeper' },
    accepted: { [conf('high-availability.type')]: 'kubernetes' },
    value: '"zookeeper"',
    says: 'Write "high-availability.type: kubernetes" in spec.template.spec.flinkConfiguration',
  },
  'node-port': {
    refused: { [conf('kubernetes.rest-service.exposed.type')]: 'nodeport' },
    accepted: { [conf('kubernetes.rest-service.exposed.type')]: 'LoadBalancer' },
    field: conf('kubernetes.rest-service.exposed.type'),
    value: '"nodeport"',
    says: 'ClusterIP" in spec.template.spec.flinkConfiguration',
  },
  'host-network': {
    refused: { [`${template}.podTemplate.spec.hostNetwork`]: true },
    accepted: {
      [`${template}.podTemplate.spec.hostNetwork`]: false,
      [conf('kubernetes.hostnetwork.enabled')]: 'true',
    },
    field: `${template}.podTemplate.spec.hostNetwork`,
    value: 'is true',
    says: 'Remove hostNetwork',
  },
  'side-ingress-template': {
    refused: { [`${template}.ingress.template`]: `${'h'.repeat(60)}.example.com` },
    accepted: { [`${template}.ingress.template`]: `${'h'.repeat(57)}.example.com` },
    value: `"green-${'h'.repeat(60)}`,
    says: 'Write a shorter host',
  },
  'mode-in-place': {
    context: { recorded: edited(recorded, { 'template.spec.job.state': 'suspended' }) },
    refused: { [`${template}.mode`]: 'standalone' },
    accepted: { [`${template}.mode`]: 'native' },
    value: '"standalone"',
    says: 'Write native with job.state "running"',
  },
};

function judge(edits: Edits, context: Partial<BlueGreenContext> = {}) {
  return validateBlueGreen(edited(blueGreen, edits), { operator, ...context });
}

const rulesOf = (edits: Edits, context: Partial<BlueGreenContext> = {}) =>
  judge(edits, context).map(({ rule }) => rule);

describe('every rule that only a FlinkBlueGreenDeployment has', () => {
  it('has an example', () => {
    expect(Object.keys(examples)).toEqual(ownBlueGreenRules.map(({ rule }) => rule));
  });

  it.each(ownBlueGreenRules.map(({ rule, field }) => [rule, field]))(
    '%s refuses with field, value and way out',
    (rule, field) => {
      const example = examples[rule] as Example<BlueGreenContext>;
      expectRefusal(judge({ ...example.with, ...example.refused }, example.context), rule, example, field);
    },
  );

  it.each(Object.entries(examples))('%s accepts what is next to it', (_rule, example) => {
    expect(judge({ ...example.with, ...example.accepted }, example.context)).toEqual([]);
  });
});

/** Edits of a FlinkDeployment as edits of the template. */
function wrapped(edits: Edits = {}): Edits {
  return Object.fromEntries(Object.entries(edits).map(([path, value]) => [inTemplate(path), value]));
}

function inTemplate(path: string): string {
  return path.replace(/^spec\b/, template);
}

function context({ recorded: spec, nonces }: Partial<DeploymentContext> = {}): Partial<BlueGreenContext> {
  return { ...(spec && { recorded: { template: { spec } } }), ...(nonces && { nonces }) };
}

describe('every rule for a FlinkDeployment', () => {
  const lifted = templateRules.map(({ rule, field }) => [rule, field] as const);

  it('holds for the template, except where the other side makes it needless', () => {
    const without = Object.keys(deploymentExamples).filter((rule) => !templateRules.some((one) => one.rule === rule));
    expect(without).toEqual([
      'deployment-name',
      'savepoint-upgrade-directory',
      'cluster-kind-change',
      'cluster-mode-change',
      'last-state-metadata',
      'rollback-metadata',
      'redeploy-metadata',
    ]);
    const names = [...ownBlueGreenRules, ...templateRules].map(({ rule }) => rule);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(lifted)(
    '%s refuses a template with field, value and way out, under the names it has there',
    (rule, field) => {
      const example = deploymentExamples[rule] as Example<DeploymentContext>;
      const edits = wrapped({ ...example.with, ...example.refused });
      const problems = judge(edits, context(example.context));
      const renamed = { ...example, ...(example.field && { field: inTemplate(example.field) }) };
      expectRefusal(
        problems,
        rule,
        { ...renamed, value: renamedIn(example.value), says: renamedIn(example.says) },
        field,
      );
      for (const { message } of problems)
        expect(message).not.toMatch(/(?<!template\.)\bspec\.(job|flinkConf|\w+Manager)/);
    },
  );
});

function renamedIn(text: string): string {
  return text.replaceAll(/\bspec\.(?!template)/g, `${template}.`);
}

describe('the name', () => {
  it.each(['1st', 'Orders', 'orders-', 'a_b', '', 'x'.repeat(300)])('%.30s is refused', (name) => {
    expect(rulesOf({ 'metadata.name': name })).toEqual(['blue-green-name']);
  });

  it('that the API server makes leaves room, too', () => {
    const generated = (generateName: string) =>
      rulesOf({ 'metadata.name': undefined, 'metadata.generateName': generateName });
    expect(generated('a'.repeat(34))).toEqual([]);
    expect(generated('a'.repeat(35))).toEqual(['blue-green-name']);
  });
});

describe('the template', () => {
  it.each([undefined, {}, { metadata: { labels: { a: 'b' } } }])('%j is missed', (value) => {
    expect(judge({ 'spec.template': value })).toMatchObject([{ rule: 'template-spec', field: 'spec.template.spec' }]);
  });

  it('is judged as a FlinkDeployment of the same namespace and version, with the operator’s defaults', () => {
    const settings = {
      'kubernetes.operator.default-configuration.namespace.shop.state.savepoints.dir': 's3://b/sp',
      'state.checkpoints.dir': 's3://b/cp',
    };
    const stateful = { [`${template}.job.upgradeMode`]: 'savepoint' };
    expect(rulesOf(stateful)).toEqual(['transition-savepoint-directory', 'checkpoint-directory']);
    expect(rulesOf(stateful, { operator: { settings, logFiles: {} } })).toEqual([]);
  });

  it.each(['podTemplate', 'jobManager.podTemplate', 'taskManager.podTemplate'])('takes no host port in %s', (place) => {
    const container = (hostPort: number) => ({
      name: 'flink-main-container',
      ports: [{ containerPort: 5005, hostPort }],
    });
    const pods = (hostPort: number): Edits => ({ [`${template}.${place}.spec.containers`]: [container(hostPort)] });
    expect(judge(pods(5005))).toMatchObject([{ rule: 'node-port', field: `${template}.${place}` }]);
    expect(judge(pods(5005))[0]?.message).toContain('hostPort 5005');
    expect(judge(pods(0))).toEqual([]);
  });

  it.each(['podTemplate', 'jobManager.podTemplate', 'taskManager.podTemplate'])(
    'does not ask for the network of the node in %s',
    (place) => {
      const field = `${template}.${place}.spec.hostNetwork`;
      expect(judge({ [field]: true })).toMatchObject([{ rule: 'host-network', field }]);
      expect(judge({ [field]: true })[0]?.message).toContain(`${field} is true`);
      expect(judge({ [field]: false })).toEqual([]);
    },
  );

  it.each(['labels', 'annotations'])('has no key of Cutover’s own among its %s', (kind) => {
    const mark = { 'cutover.dev/blue-green': 'orders', team: 'a' };
    const field = `spec.template.metadata.${kind}[cutover.dev/blue-green]`;
    expect(judge({ [`spec.template.metadata.${kind}`]: mark })).toMatchObject([{ rule: 'template-reserved', field }]);
    expect(judge({ [`metadata.${kind}`]: mark })).toEqual([]);
  });

  it('may change its mode, because the other side is new', () => {
    expect(rulesOf({ [`${template}.mode`]: 'standalone' }, { recorded })).toEqual([]);
  });

  it('keeps its mode in the edit that suspends or resumes', () => {
    const mode = { [`${template}.mode`]: 'standalone' };
    const suspended = edited(recorded, { 'template.spec.job.state': 'suspended' });
    expect(rulesOf({ ...mode, [`${template}.job.state`]: 'suspended' }, { recorded })).toEqual(['mode-in-place']);
    expect(rulesOf(mode, { recorded: suspended })).toEqual(['mode-in-place']);
    expect(rulesOf({ ...mode, [`${template}.job.state`]: 'suspended' })).toEqual([]);
  });
});

describe('metadata for recovery', () => {
  const keptBy = (type: string, key = 'high-availability.type'): Edits => ({ ...directories, [conf(key)]: type });

  it.each(['zookeeper', 'ZOOKEEPER', 'com.example.OwnServicesFactory'])('in %s is refused, once', (type) => {
    for (const upgradeMode of ['stateless', 'savepoint', 'last-state']) {
      const edits = { ...keptBy(type), [`${template}.job.upgradeMode`]: upgradeMode };
      expect(rulesOf(edits)).toEqual(['side-recovery-metadata']);
    }
    expect(judge(keptBy(type, 'high-availability'))).toMatchObject([{ field: conf('high-availability') }]);
  });

  it.each(['kubernetes', 'org.apache.flink.kubernetes.highavailability.KubernetesHaServicesFactory', 'NONE', ''])(
    'is no concern with the type "%s"',
    (type) => {
      expect(rulesOf(keptBy(type))).toEqual([]);
    },
  );

  it('is refused where the operator’s defaults put it, and the template has the last word', () => {
    const settings = { 'high-availability': 'zookeeper' };
    expect(rulesOf({}, { operator: { settings, logFiles: {} } })).toEqual(['side-recovery-metadata']);
    expect(rulesOf(keptBy('kubernetes'), { operator: { settings, logFiles: {} } })).toEqual([]);
  });
});

describe('settings', () => {
  it.each([
    ['600', 'no unit'],
    ['-600', 'no unit'],
    ['-5 s', 'Write "0 s" or more'],
    ['-PT5S', 'Write "0 s" or more'],
    ['soon', 'is not a duration with its unit'],
    ['5 parsecs', 'Write for example "30 s"'],
    ['99999999999 d', 'is not a duration'],
  ])('refuse %s as a duration', (value, says) => {
    for (const name of ['abort.grace-period', 'deployment-deletion.delay', 'promotion.hold', 'rollback-window']) {
      expect(judge({ [setting(name)]: value })).toMatchObject([{ rule: 'blue-green-value', field: setting(name) }]);
      expect(judge({ [setting(name)]: value })[0]?.message).toContain(says);
    }
  });

  it.each(['0ms', '0 s', '10 min', '15s', 'PT1M', '1 d'])('take %s as a duration', (value) => {
    expect(rulesOf({ [setting('rollback-window')]: value })).toEqual([]);
  });

  it.each([
    ['abort.action', 'stop', 'keep, suspend, delete'],
    ['promotion', 'never', 'automatic, manual'],
    ['unhealthy.policy', 'panic', 'wait, last-checkpoint'],
    ['preview-ingress', 'yes', 'a boolean'],
    ['savepoint.history.max.count', '-1', '0 or more'],
  ])('of %s name what may be written', (name, value, says) => {
    const [problem] = judge({ [setting(name)]: value });
    expect(problem).toMatchObject({ rule: 'blue-green-value', field: setting(name) });
    expect(problem?.message).toContain(says);
  });

  it('are checked in the template as well', () => {
    const key = 'kubernetes.operator.bluegreen.abort.grace-period';
    expect(judge({ [conf(key)]: 5 })).toMatchObject([{ rule: 'blue-green-value', field: conf(key) }]);
    expect(judge({ [conf('kubernetes.operator.bluegreen.abort')]: '5 s' })).toMatchObject([{ rule: 'blue-green-key' }]);
  });

  it.each([
    ['abort.grace-period', 'kubernetes.operator.bluegreen.abort.grace-period'],
    ['kubernetes.operator.bluegreen.deletion.delay', 'kubernetes.operator.bluegreen.deployment-deletion.delay'],
    ['kubernetes.operator.bluegreen.promote', 'kubernetes.operator.bluegreen.promotion'],
    ['kubernetes.operator.savepoint.history.max.count', 'kubernetes.operator.bluegreen.savepoint.history.max.count'],
  ])('name the nearest known key for %s', (key, known) => {
    const [problem] = judge({ 'spec.configuration': { [key]: '1 s' } });
    expect(problem?.message).toContain(`Rename it to ${known} if`);
  });

  it('leave room for the preview in the host', () => {
    const preview = (letters: number): Edits => ({
      [setting('preview-ingress')]: 'true',
      'spec.ingress.template': `${'h'.repeat(letters)}.com`,
    });
    expect(rulesOf(preview(63 - 'preview-'.length))).toEqual([]);
    expect(rulesOf(preview(64 - 'preview-'.length))).toEqual(['preview-ingress']);
  });

  it('list a few of many unknown keys, and count the rest', () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key-${index}`, 'x']));
    const problems = judge({ 'spec.configuration': many });
    expect(problems).toHaveLength(10);
    expect(problems[0]?.message).toContain('49990 further keys');
  });
});

describe('an ingress template', () => {
  it.each(['https://', 'http://:80', ':8080', '  ', 'two words', 'ftp://host', '{{host}}/x', '?x', '*'])(
    'of %s is refused, of the resource and of its sides',
    (value) => {
      expect(rulesOf({ 'spec.ingress.template': value })).toHaveLength(1);
      expect(rulesOf({ [`${template}.ingress.template`]: value })).toHaveLength(1);
    },
  );

  it.each([
    '{{name}}.example.com',
    'https://example.com/{{namespace}}/{{name}}(/|$)(.*)',
    '/{{namespace}}/{{name}}(/|$)(.*)',
    '/',
    '*.example.com',
  ])('of %s is taken', (value) => {
    expect(judge({ 'spec.ingress.template': value, [`${template}.ingress.template`]: value })).toEqual([]);
  });
});

describe('an ingress template of the sides', () => {
  it('leaves room for the longer of the colours, and for its name in {{name}}', () => {
    const host = (letters: number): Edits => ({
      [`${template}.ingress.template`]: `${'h'.repeat(letters)}{{name}}.com`,
    });
    expect(rulesOf(host(63 - 'green-'.length - 'orders-green'.length))).toEqual([]);
    expect(rulesOf(host(64 - 'green-'.length - 'orders-green'.length))).toEqual(['side-ingress-template']);
  });
});

describe('redeploy nonces', () => {
  const job = (values: Edits): Edits =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`${template}.job.${name}`, value]));
  const status = (spec: FlinkDeploymentSpec, rest: object = {}) => ({
    status: { lastReconciledSpec: blueGreenSpecCodec.write({ template: { spec } }), ...rest },
  });
  const deployed = blueGreen.spec.template?.spec as FlinkDeploymentSpec;

  it('are not checked at creation', () => {
    expect(rulesOf(job({ savepointRedeployNonce: 1, statelessRedeployNonce: 1 }))).toEqual([]);
  });

  it('that change need a path, by the record of the Java operator', () => {
    const edit = { ...job({ savepointRedeployNonce: 1 }), ...status(deployed) };
    expect(judge(edit)).toMatchObject([
      { rule: 'savepoint-redeploy-path', field: 'spec.template.spec.job.initialSavepointPath' },
    ]);
    expect(rulesOf({ ...edit, ...job({ initialSavepointPath: 's3://b/1' }) })).toEqual([]);
  });

  it('are compared with the last value acted upon', () => {
    const acted = status(deployed, { nonces: { savepointRedeploy: 1, statelessRedeploy: 1 } });
    expect(rulesOf({ ...job({ savepointRedeployNonce: 1, statelessRedeployNonce: 1 }), ...acted })).toEqual([]);
    expect(rulesOf({ ...job({ statelessRedeployNonce: 2 }), ...acted })).toEqual([]);
    expect(
      rulesOf({
        ...job({ savepointRedeployNonce: 2, statelessRedeployNonce: 2, initialSavepointPath: 's3://b/1' }),
        ...acted,
      }),
    ).toEqual(['one-redeploy-at-a-time']);
  });

  it('are compared with what the target was made for, while there is one', () => {
    const made = edited(deployed, { 'job.savepointRedeployNonce': 2 });
    const transition = { spec: blueGreenSpecCodec.write({ template: { spec: made } }) };
    expect(rulesOf({ ...job({ savepointRedeployNonce: 2 }), ...status(deployed, { transition }) })).toEqual([]);
    expect(rulesOf({ ...job({ savepointRedeployNonce: 3 }), ...status(deployed, { transition }) })).toEqual([
      'savepoint-redeploy-path',
    ]);
  });

  it('may change one after the other before the first was acted upon, but not both in one edit', () => {
    const wanted = (values: Edits) => {
      const spec = edited(
        deployed,
        Object.fromEntries(Object.entries(values).map(([name, to]) => [`job.${name}`, to])),
      );
      return status(deployed, { wanted: blueGreenSpecCodec.write({ template: { spec } }) });
    };
    const path = { initialSavepointPath: 's3://b/1' };
    const both = job({ savepointRedeployNonce: 1, statelessRedeployNonce: 1, ...path });
    expect(rulesOf({ ...both, ...wanted({ savepointRedeployNonce: 1, ...path }) })).toEqual([]);
    expect(rulesOf({ ...both, ...wanted({ statelessRedeployNonce: 1 }) })).toEqual([]);
    expect(rulesOf({ ...both, ...wanted({ savepointRedeployNonce: 2, ...path }) })).toEqual(['one-redeploy-at-a-time']);
    expect(rulesOf({ ...both, ...wanted({}) })).toEqual(['one-redeploy-at-a-time']);
    expect(rulesOf({ ...both, ...status(deployed, { wanted: '{' }) })).toEqual(['one-redeploy-at-a-time']);
  });

  it('that are pending still need a path', () => {
    const pending = edited(deployed, { 'job.savepointRedeployNonce': 1, 'job.initialSavepointPath': 's3://b/1' });
    const wanted = blueGreenSpecCodec.write({ template: { spec: pending } });
    expect(rulesOf({ ...job({ savepointRedeployNonce: 1 }), ...status(deployed, { wanted }) })).toEqual([
      'savepoint-redeploy-path',
    ]);
  });

  it.each([{ lastReconciledSpec: '{' }, { lastReconciledSpec: 5, nonces: 'x', transition: 'y' }, { nonces: { a: 1 } }])(
    'are left alone where the status %j tells nothing',
    (broken) => {
      expect(rulesOf({ ...job({ savepointRedeployNonce: 1 }), status: broken })).toEqual([]);
    },
  );
});
