import { describe, expect, it } from 'vitest';
import type { AnyObject, JsonObject } from '../../src/kube/object.ts';
import { everything, namesOf, release, rendered, the } from './rendered.ts';

/** What each switch adds to an installation of Flink alone, and what it takes away: the table of the chart. */
const plain: JsonObject = { replicas: 1 };

const switches: readonly [string, JsonObject, readonly string[], readonly string[]][] = [
  ['nothing', {}, [], []],
  ['two replicas', { replicas: 2 }, ['PodDisruptionBudget cutover'], []],
  ['two replicas without a budget', { replicas: 2, podDisruptionBudget: { enabled: false } }, [], []],
  [
    'webhooks off',
    { webhooks: { enabled: false } },
    [],
    [
      'MutatingWebhookConfiguration cutover-webhooks',
      'Service cutover-webhooks',
      'ValidatingWebhookConfiguration cutover-webhooks',
    ],
  ],
  [
    'only looking',
    { observeOnly: true },
    [],
    [
      'MutatingWebhookConfiguration cutover-webhooks',
      'Service cutover-webhooks',
      'ValidatingWebhookConfiguration cutover-webhooks',
    ],
  ],
  [
    'the only kind that Flink changes left to others',
    { switchedOff: ['flinksessionjob'] },
    [],
    ['MutatingWebhookConfiguration cutover-webhooks'],
  ],
  ['no network policy', { networkPolicy: { enabled: false } }, [], ['NetworkPolicy cutover']],
  ['no service for metrics', { metrics: { service: false } }, [], ['Service cutover-metrics']],
  ['a ServiceMonitor', { metrics: { serviceMonitor: { enabled: true } } }, ['ServiceMonitor cutover'], []],
  ['alerts', { metrics: { prometheusRule: { enabled: true } } }, ['PrometheusRule cutover'], []],
  ['a dashboard of Grafana', { metrics: { grafanaDashboard: { enabled: true } } }, ['ConfigMap cutover-grafana'], []],
  [
    'the dashboard',
    { dashboard: { enabled: true } },
    ['Secret cutover-dashboard-key', 'Service cutover-dashboard'],
    [],
  ],
  [
    'the dashboard with a key of its own',
    { dashboard: { enabled: true, keySecretName: 'mine' } },
    ['Service cutover-dashboard'],
    [],
  ],
  ['settings of Flink', { flink: { config: { a: 'b' } } }, ['ConfigMap cutover-flink'], []],
  ['notifications', { notify: { config: { webhooks: [] } } }, ['Secret cutover-notify'], []],
  ['notifications from a Secret', { notify: { secretName: 'mine' } }, [], []],
  [
    'no roles',
    { rbac: { create: false } },
    [],
    [
      'ClusterRole cutover',
      'ClusterRole cutover-admin',
      'ClusterRole cutover-edit',
      'ClusterRole cutover-view',
      'ClusterRoleBinding cutover',
      'Role cutover',
      'RoleBinding cutover',
    ],
  ],
  [
    'no roles for people',
    { rbac: { aggregate: false } },
    [],
    ['ClusterRole cutover-admin', 'ClusterRole cutover-edit', 'ClusterRole cutover-view'],
  ],
  [
    'a Java operator in another namespace',
    { flink: { otherOperator: { namespace: 'flink-operator' } } },
    ['Role flink-operator/cutover-other-operator', 'RoleBinding flink-operator/cutover-other-operator'],
    [],
  ],
  ['a Java operator beside it', { flink: { otherOperator: { namespace: release.namespace } } }, [], []],
  [
    'two namespaces',
    { watchNamespaces: ['one', 'two'] },
    [
      'Role one/cutover-watched',
      'Role two/cutover-watched',
      'RoleBinding one/cutover-watched',
      'RoleBinding two/cutover-watched',
    ],
    [],
  ],
  [
    'a namespace and nothing of the cluster',
    {
      watchNamespaces: ['one'],
      rbac: { clusterScoped: false, aggregate: false },
      webhooks: { enabled: false },
    },
    ['Role one/cutover-watched', 'RoleBinding one/cutover-watched'],
    [
      'ClusterRole cutover',
      'ClusterRole cutover-admin',
      'ClusterRole cutover-edit',
      'ClusterRole cutover-view',
      'ClusterRoleBinding cutover',
      'MutatingWebhookConfiguration cutover-webhooks',
      'Service cutover-webhooks',
      'ValidatingWebhookConfiguration cutover-webhooks',
    ],
  ],
  ['an account of somebody else', { serviceAccount: { create: false, name: 'mine' } }, [], ['ServiceAccount cutover']],
  ['KUDO', { families: { kudo: true } }, ['ClusterRole cutover-kudo-packages'], []],
  [
    'KUDO with what packages bring',
    { families: { kudo: true }, kudo: { packages: { bind: true } } },
    ['ClusterRole cutover-kudo-packages', 'ClusterRoleBinding cutover-kudo-packages'],
    [],
  ],
  [
    'KUDO in a namespace',
    { families: { kudo: true }, kudo: { packages: { bind: true } }, watchNamespaces: ['one'] },
    [
      'Role one/cutover-kudo-packages',
      'Role one/cutover-watched',
      'RoleBinding one/cutover-kudo-packages',
      'RoleBinding one/cutover-watched',
    ],
    [],
  ],
  [
    'Cloud Foundry without its root, its roles and its API',
    {
      families: { cloudfoundry: true },
      cloudfoundry: { root: { create: false }, userRoles: false, api: { enabled: false } },
    },
    ['ClusterRole cutover-cloudfoundry-places'],
    [],
  ],
  [
    'the root namespace of Cloud Foundry',
    {
      families: { cloudfoundry: true },
      cloudfoundry: {
        settings: { rootNamespace: 'root' },
        userRoles: false,
        root: { admins: [{ kind: 'Group', name: 'admins' }] },
      },
    },
    [
      'ClusterRole cutover-cloudfoundry-places',
      'ConfigMap cutover-cloudfoundry',
      'Namespace root',
      'RoleBinding root/cutover-operator',
      'RoleBinding root/default-admin-binding',
      'Service cutover-cf-api',
      'ServiceAccount root/korifi-app',
      'ServiceAccount root/korifi-task',
    ],
    [],
  ],
];

describe('a switch', () => {
  const before = namesOf(rendered(plain).objects);

  it.each(switches)('%s', (_, values, added, removed) => {
    const after = namesOf(rendered({ ...plain, ...values }).objects);
    expect(after.filter((name) => !before.includes(name)).toSorted()).toEqual(added);
    expect(before.filter((name) => !after.includes(name)).toSorted()).toEqual(removed);
  });
});

it('an operator is told where another one is, and may look at the leases there and at nothing else', () => {
  const all = rendered({ flink: { otherOperator: { namespace: 'flink-operator' } } });
  expect(JSON.stringify(the(all, 'Deployment'))).toContain('"--flink-other-operator=flink-operator"');
  expect(the<{ rules: unknown }>(all, 'Role', 'cutover-other-operator').rules).toEqual([
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['list', 'watch'] },
  ]);
  expect(JSON.stringify(the(rendered(), 'Deployment'))).not.toContain('--flink-other-operator');
});

describe('what runs around a release', () => {
  it('is a Job that lets go of finalizers before anything is deleted, unless it is switched off', () => {
    const { hooks } = rendered(plain);
    expect(namesOf(hooks)).toEqual(['Job cutover-uninstall']);
    expect(hooks[0]?.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-delete' });
    expect(namesOf(rendered({ uninstall: { hook: false } }).hooks)).toEqual([]);
  });

  it('is a Job that has ended, and said what is left, before Helm gives up', () => {
    interface Job {
      readonly spec: {
        readonly activeDeadlineSeconds: number;
        readonly template: { readonly spec: { readonly containers: readonly { readonly args: readonly string[] }[] } };
      };
    }
    const { spec } = the<Job>(rendered(plain), 'Job', 'cutover-uninstall');
    const [, timeout] = /--timeout=(\d+)/.exec(spec.template.spec.containers[0]?.args.join(' ') ?? '') ?? [];
    const patienceOfHelm = 300;
    expect(Number(timeout)).toBeLessThanOrEqual(patienceOfHelm - 60);
    expect(spec.activeDeadlineSeconds).toBeGreaterThan(Number(timeout));
    expect(spec.activeDeadlineSeconds).toBeLessThanOrEqual(patienceOfHelm);
  });

  it('is no such Job for a release that only looks: the finalizers that are there are another operator’s', () => {
    expect(namesOf(rendered({ observeOnly: true }).hooks)).toEqual([]);
  });

  it('is a Job that makes what Cloud Foundry begins with, with the right to create that alone', () => {
    const all = rendered({ families: { cloudfoundry: true }, uninstall: { hook: false } });
    expect(all.hooks.map(({ kind }) => kind)).toEqual(['ServiceAccount', 'ConfigMap', 'Role', 'RoleBinding', 'Job']);
    const name = all.hooks[0]?.metadata.name;
    expect(the<{ rules: unknown }>(all, 'Role', name).rules).toEqual([
      { apiGroups: ['korifi.cloudfoundry.org'], resources: ['cfdomains', 'runnerinfos'], verbs: ['create'] },
    ]);
  });
});

describe('a release that only looks', () => {
  it('differs from one without webhooks by an argument alone: it serves none, and has no right for any', () => {
    const off = rendered({ ...everything, webhooks: { enabled: false }, uninstall: { hook: false } });
    const looking = rendered({ ...everything, webhooks: { tlsSecretName: 'tls' }, observeOnly: true });
    const text = JSON.stringify(looking);
    expect(JSON.parse(text.replace('"--observe-only",', ''))).toEqual(off);
    expect(text).toContain('"--observe-only",');
  });
});

describe('a second release', () => {
  const values: JsonObject = { ...everything, families: { flink: true, kudo: true } };
  const full = ({ kind, metadata }: AnyObject): string => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
  const shared = (name: string, namespace: string, more: JsonObject = {}): readonly string[] => {
    const first = rendered({ ...values, ...more });
    const second = rendered({ ...values, ...more }, { name, namespace });
    const taken = new Set([...first.objects, ...first.hooks].map(full));
    return [...second.objects, ...second.hooks].map(full).filter((one) => taken.has(one));
  };

  it('of another name in another namespace has no object of the first', () => {
    expect(shared('team-a', 'cutover-team-a')).toEqual([]);
    const watchNamespaces = ['shop'];
    expect(shared('team-a', 'cutover-team-a', { watchNamespaces })).toEqual([]);
  });

  it('of the same name would take the roles of the first', () => {
    expect(shared('cutover', 'cutover-team-a')).toContain('ClusterRole /cutover');
  });
});

describe('webhooks', () => {
  interface Configuration {
    readonly webhooks: readonly {
      readonly name: string;
      readonly rules: readonly { readonly apiGroups: readonly string[]; readonly resources: readonly string[] }[];
    }[];
  }
  const asked = (values: JsonObject): readonly string[] =>
    the<Configuration>(rendered(values), 'ValidatingWebhookConfiguration').webhooks.flatMap(({ name, rules }) =>
      rules.flatMap(({ apiGroups, resources }) => resources.map((one) => `${name} ${one}.${apiGroups}`)),
    );

  it('are not asked about kinds that are left to others, and about all others as before', () => {
    const families = { flink: true, cloudfoundry: true, kudo: true };
    const before = asked({ families });
    const left = asked({ families, switchedOff: ['flinkdeployment', 'cfprocess'] });
    expect(before.filter((one) => !left.includes(one))).toEqual([
      'validate.flink.cutover.dev flinkdeployments.flink.apache.org',
      'validate.cloudfoundry.cutover.dev cfprocesses.korifi.cloudfoundry.org',
    ]);
    expect(left.filter((one) => !before.includes(one))).toEqual([]);
  });
});

describe('values that go together with none', () => {
  it.each<[string, JsonObject, RegExp]>([
    ['no family', { families: { flink: false } }, /^families: all are off.*switch one on/],
    [
      'Cloud Foundry in some namespaces',
      { families: { cloudfoundry: true }, watchNamespaces: ['one'] },
      /^watchNamespaces: Cloud Foundry makes a namespace/,
    ],
    ['shards of one replica', { replicas: 1, shards: 3 }, /^shards: there is one replica/],
    ['no account', { serviceAccount: { create: false } }, /^serviceAccount.name: name the account/],
    [
      'an account without a namespace as administrator',
      {
        families: { cloudfoundry: true },
        cloudfoundry: { root: { admins: [{ kind: 'ServiceAccount', name: 'a' }] } },
      },
      /^cloudfoundry.root.admins: a ServiceAccount needs its namespace/,
    ],
    [
      'Cloud Foundry in the namespace of the release',
      { families: { cloudfoundry: true }, cloudfoundry: { settings: { rootNamespace: release.namespace } } },
      /^cloudfoundry.settings.rootNamespace: cutover-system is the namespace of the release.*choose another/,
    ],
    [
      'a ServiceMonitor without the Service',
      { metrics: { service: false, serviceMonitor: { enabled: true } } },
      /^metrics.serviceMonitor.enabled: .* set metrics.service=true/,
    ],
    [
      'no rights in the cluster, but all namespaces',
      { rbac: { clusterScoped: false }, webhooks: { enabled: false } },
      /^rbac.clusterScoped: in all namespaces .*watchNamespaces/,
    ],
    [
      'webhooks that nobody would trust',
      { watchNamespaces: ['one'], rbac: { clusterScoped: false } },
      /^rbac.clusterScoped: .*webhooks.enabled=false, or .*webhooks.tlsSecretName/,
    ],
    [
      'a dashboard that could ask nobody',
      {
        watchNamespaces: ['one'],
        rbac: { clusterScoped: false },
        webhooks: { enabled: false },
        dashboard: { enabled: true },
      },
      /^rbac.clusterScoped: .*dashboard.enabled=false/,
    ],
    [
      'no roles, but a Job and users that need some',
      { families: { cloudfoundry: true }, rbac: { create: false }, cloudfoundry: { userRoles: false } },
      /^rbac.create: .*cloudfoundry.root.create=false and cloudfoundry.userRoles=false/,
    ],
    [
      'a label by which pods are found',
      { labels: { 'app.kubernetes.io/name': 'mine' } },
      /^labels: app.kubernetes.io\/name is a label that the chart gives itself; leave it out/,
    ],
    [
      'a label of pods by which they are found',
      { podLabels: { 'app.kubernetes.io/instance': 'mine' } },
      /^podLabels: app.kubernetes.io\/instance is a label that the chart gives itself/,
    ],
    [
      'a label that would add the rights of the operator to a role of people',
      { labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
      /^labels: rbac.authorization.k8s.io\/aggregate-to-view is a label that the chart gives itself/,
    ],
    [
      'a label of pods that all objects have',
      { labels: { team: 'a' }, podLabels: { team: 'b' } },
      /^podLabels: team is in labels already/,
    ],
    [
      'a label of monitoring that all objects have',
      { labels: { team: 'a' }, metrics: { serviceMonitor: { labels: { team: 'b' } } } },
      /^metrics.serviceMonitor.labels: team is in labels already/,
    ],
  ])('%s: the message says which value and what to do', (_, values, message) => {
    expect(() => rendered(values)).toThrow(message);
  });

  it('are not rights that nothing needs, or that somebody else gives', () => {
    const some = { watchNamespaces: ['one'], rbac: { clusterScoped: false } };
    const values: readonly JsonObject[] = [
      { ...some, webhooks: { tlsSecretName: 'tls' } },
      { ...some, observeOnly: true },
      { rbac: { create: false, clusterScoped: false }, dashboard: { enabled: true } },
    ];
    for (const one of values) expect(() => rendered(one)).not.toThrow();
  });

  it('without roles there is none, whatever else is on', () => {
    const { cloudfoundry, ...others } = everything;
    const bare = { ...(cloudfoundry as JsonObject), root: { create: false }, userRoles: false };
    const all = rendered({ ...others, cloudfoundry: bare, rbac: { create: false } });
    const rights = [...all.objects, ...all.hooks].filter(({ apiVersion }) => apiVersion.startsWith('rbac.'));
    expect(namesOf(rights)).toEqual([]);
  });

  it('are not labels of one’s own, beside those of the chart', () => {
    const labels = { team: 'a', 'app.kubernetes.io/part-of': 'platform' };
    const all = rendered({ labels, podLabels: { zone: 'b' } });
    for (const { metadata } of all.objects) expect(metadata.labels).toMatchObject(labels);
    const { spec } = the<{ spec: { template: AnyObject } }>(all, 'Deployment');
    expect(spec.template.metadata.labels).toMatchObject({ ...labels, zone: 'b', 'app.kubernetes.io/name': 'cutover' });
  });
});
