import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installation } from '../../src/install/installation.ts';
import { Client } from '../../src/kube/client.ts';
import { discover } from '../../src/kube/discover.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject, JsonObject } from '../../src/kube/object.ts';
import { chartEngine } from '../../src/main/chart-engine.ts';
import { type Cluster, openCluster } from '../stage/open-cluster.ts';
import { chart, everything, release, rendered } from './rendered.ts';

/** Combinations in which every switch is both on and off, beside different others. */
const combinations: readonly [string, JsonObject][] = [
  ['all defaults', {}],
  ['everything', everything],
  [
    'everything without roles',
    { ...everything, rbac: { create: false }, cloudfoundry: { root: { create: false }, userRoles: false } },
  ],
  ['Flink in two namespaces', { watchNamespaces: ['one', 'two'], replicas: 3, shards: 8, observeOnly: true }],
  [
    'KUDO in a namespace, with a key and certificates of somebody else',
    {
      families: { flink: false, kudo: true },
      watchNamespaces: ['one'],
      kudo: { packages: { bind: true } },
      dashboard: { enabled: true, keySecretName: 'key', readOnly: true, service: { type: 'NodePort' } },
      webhooks: { tlsSecretName: 'tls', caBundle: 'Q0E=', annotations: { 'cert-manager.io/inject-ca-from': 'a/b' } },
      notify: { secretName: 'notify' },
    },
  ],
  [
    'Cloud Foundry alone and bare',
    {
      families: { flink: false, cloudfoundry: true },
      replicas: 1,
      cloudfoundry: { root: { create: false }, userRoles: false, api: { enabled: false } },
      webhooks: { enabled: false },
      networkPolicy: { enabled: false },
      metrics: { service: false },
      uninstall: { hook: false },
      serviceAccount: { create: false, name: 'mine' },
    },
  ],
  [
    'all that is passed on to pods',
    {
      image: {
        repository: 'registry.test:5000/team/cutover',
        digest: `sha256:${'0'.repeat(64)}`,
        pullSecrets: [{ name: 'pull' }],
      },
      fullnameOverride: 'somebody',
      labels: { team: 'on-call', floor: '2' },
      podLabels: { mesh: 'off' },
      podAnnotations: { note: 'a: b # c' },
      nodeSelector: { disk: 'fast' },
      tolerations: [{ key: 'dedicated', operator: 'Exists' }],
      affinity: { nodeAffinity: {} },
      priorityClassName: 'high',
      extraArgs: ['--log-level=debug', 'odd "one" {{ x }}'],
      extraEnv: [{ name: 'HTTPS_PROXY', value: 'http://proxy.test:3128' }],
      networkPolicy: {
        metricsFrom: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }],
        egress: [{ ports: [{ port: 443, protocol: 'TCP' }] }],
      },
      resources: { limits: { memory: '2Gi', cpu: 1 }, requests: { cpu: '250m', memory: '1Gi' } },
      switchedOff: ['flinksessionjob'],
      takeover: ['flinkdeployment'],
    },
  ],
];

let cluster: Cluster;
let client: Client;

beforeAll(async () => {
  cluster = await openCluster({ seed: 9, nodes: { count: 0 } });
  client = new Client(cluster.embedded.transport(), { clock: cluster.clock });
  for (const name of ['one', 'two', release.namespace]) {
    await applied({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
});
afterAll(() => cluster.embedded.close());

/** Server-side apply, where a field that the kind does not have is an error. The API server has kinds of its own and ours. */
async function applied(object: AnyObject): Promise<AnyObject | undefined> {
  if (object.apiVersion.startsWith('monitoring.coreos.com/')) return undefined;
  const { group, version, plural, namespaced } = await discover(client, object.apiVersion, object.kind);
  const place = namespaced ? `/namespaces/${object.metadata.namespace}` : '';
  return client.json<AnyObject>({
    method: 'PATCH',
    path: `${group === '' ? '/api' : `/apis/${group}`}/${version}${place}/${plural}/${object.metadata.name}`,
    query: { fieldManager: 'test', force: 'true', fieldValidation: 'Strict' },
    contentType: 'application/apply-patch+yaml',
    body: object,
  });
}

describe('an API server', () => {
  it.each(combinations)('takes every object of %s, in their order', async (_, values) => {
    const { objects, hooks } = rendered(values);
    for (const object of [...objects, ...hooks]) {
      const stored = await applied(object).catch((error: unknown) => {
        throw new Error(`${object.kind} ${object.metadata.name}`, { cause: error });
      });
      if (stored) expect(stored.metadata.labels).toMatchObject(object.metadata.labels ?? {});
    }
    // As Helm does before it runs one again: a Job cannot be changed.
    for (const { metadata } of hooks.filter(({ kind }) => kind === 'Job')) {
      await client
        .resource(kinds.jobs)
        .delete({ namespace: release.namespace, name: metadata.name ?? '' }, { propagationPolicy: 'Background' });
    }
  });

  it('takes the one YAML of another version over the one before, whose Jobs nobody deleted', async () => {
    const engine = chartEngine({ key: new Uint8Array(32), service: 'cutover' });
    const generated = (image: JsonObject, settings: JsonObject): readonly AnyObject[] => {
      const values = { families: { flink: false, cloudfoundry: true }, image, cloudfoundry: { settings } };
      return installation(chart, { release, values, crds: false }, engine);
    };
    const steps = [
      generated({ tag: '1' }, {}),
      generated({ tag: '2' }, {}),
      generated({ tag: '2', pullPolicy: 'Always' }, {}),
      generated({ tag: '2' }, { defaultDomain: 'other.test' }),
    ];
    for (const objects of steps) for (const object of objects) await applied(object);
    const named = (kind: string): readonly string[] =>
      steps.flat().flatMap((object) => (object.kind === kind ? [object.metadata.name ?? ''] : []));
    expect(new Set(named('Job')).size).toBe(steps.length);
    // Of all else nothing is left behind under another name.
    expect([...new Set(named('Role'))]).toEqual(['cutover', 'cutover-cf-root']);
    expect([...new Set(named('ConfigMap'))]).toEqual(['cutover-cf-root', 'cutover-cloudfoundry']);
  });

  it('takes a change from any combination to any other: nothing that cannot be changed is another', async () => {
    // All were applied over one another by now; this is the way back, with the definitions.
    const { objects } = rendered(everything, release, true);
    for (const object of objects) await applied(object);
    const definitions = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
    expect(definitions).toHaveLength(22);
    for (const { metadata } of definitions) expect(metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
  });
});
