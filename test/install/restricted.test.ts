import { describe, expect, it } from 'vitest';
import type { AnyObject, JsonObject } from '../../src/kube/object.ts';
import { chart, everything, rendered, the } from './rendered.ts';

interface Container {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly command?: unknown;
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly resources: { readonly limits: Readonly<Record<string, string>>; readonly requests: unknown };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
}

interface Pod {
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly automountServiceAccountToken: boolean;
  readonly containers: readonly Container[];
  readonly volumes: readonly (Readonly<Record<string, unknown>> & { readonly name: string })[];
  readonly [other: string]: unknown;
}

interface Workload extends AnyObject {
  readonly spec: { readonly template: { readonly spec: Pod } };
}

/** Read once, all of it. */
const unread: JsonObject = { 'kubernetes.operator.dynamic.config.enabled': false };

const all = rendered(everything);
const workloads = [...all.objects, ...all.hooks]
  .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
  .map((object) => [`${object.kind} ${object.metadata.name}`, (object as Workload).spec.template.spec] as const);

describe('a pod of the chart', () => {
  it('is there three times: the operator, the beginning of Cloud Foundry, the end of all', () => {
    expect(workloads.map(([name]) => name.replace(/[0-9a-f]{8}$/, ''))).toEqual([
      'Deployment cutover',
      'Job cutover-cf-root-',
      'Job cutover-uninstall',
    ]);
  });

  it.each(workloads)('%s is what Pod Security calls restricted', (_, pod) => {
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 65532,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    for (const { securityContext } of pod.containers) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        privileged: false,
        readOnlyRootFilesystem: true,
        runAsNonRoot: true,
        capabilities: { drop: ['ALL'] },
      });
    }
    for (const field of ['hostNetwork', 'hostPID', 'hostIPC', 'initContainers']) expect(pod).not.toHaveProperty(field);
    for (const { name, ...volume } of pod.volumes) {
      const [kind] = Object.keys(volume);
      expect(['projected', 'emptyDir', 'configMap', 'secret'], name).toContain(kind);
      const { defaultMode } = Object.values(volume)[0] as { readonly defaultMode?: number };
      if (kind === 'projected' || kind === 'secret') expect(defaultMode, name).toBe(0o440);
    }
  });

  it.each(workloads)('%s has a token of its own, which ends within the hour, and no other', (_, pod) => {
    expect(pod.automountServiceAccountToken).toBe(false);
    const tokens = pod.volumes.filter(({ projected }) => projected !== undefined);
    expect(tokens).toMatchObject([
      {
        name: 'token',
        projected: { sources: [{ serviceAccountToken: { path: 'token', expirationSeconds: 3600 } }, {}, {}] },
      },
    ]);
    expect(pod.containers[0]?.volumeMounts).toContainEqual({
      name: 'token',
      mountPath: '/var/run/secrets/kubernetes.io/serviceaccount',
      readOnly: true,
    });
  });

  it.each(workloads)('%s can write to /tmp alone, and has a limit of memory', (_, pod) => {
    for (const { volumeMounts, resources } of pod.containers) {
      expect(volumeMounts.filter(({ readOnly }) => readOnly !== true)).toEqual([{ name: 'tmp', mountPath: '/tmp' }]);
      expect(resources.limits).toHaveProperty('memory');
      expect(resources.requests).toMatchObject({ cpu: expect.any(String), memory: expect.any(String) });
    }
  });

  it.each(workloads)('%s mounts all of its volumes, and none that is not there', (_, pod) => {
    const mounted = pod.containers.flatMap(({ volumeMounts }) => volumeMounts.map(({ name }) => name));
    expect(mounted.toSorted()).toEqual(pod.volumes.map(({ name }) => name).toSorted());
  });

  it.each(workloads)('%s runs what the image runs, with arguments', (_, pod) => {
    for (const container of pod.containers) {
      expect(container.command).toBeUndefined();
      expect(container.args[0]).toMatch(/^(operator|install|uninstall)$/);
    }
  });
});

describe('the operator', () => {
  const container = (memory: string): Container | undefined =>
    the<Workload>(rendered({ resources: { limits: { memory } } }), 'Deployment').spec.template.spec.containers[0];

  it.each([
    ['512Mi', 384],
    ['1Gi', 768],
    ['1G', 715],
    ['400M', 286],
    ['1048576Ki', 768],
    ['1073741824', 768],
  ])('of %s of memory has a heap of %i MiB', (memory, heap) => {
    expect(container(memory)?.env).toContainEqual({ name: 'NODE_OPTIONS', value: `--max-old-space-size=${heap}` });
  });

  it('has an account whose token nobody gets by accident', () => {
    expect(the(all, 'ServiceAccount', 'cutover')).toMatchObject({ automountServiceAccountToken: false });
  });

  it('has no right by a star, and lists Secrets nowhere but in namespaces of its own', () => {
    const roles = all.objects.filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role') as (AnyObject & {
      readonly rules: readonly {
        readonly apiGroups: string[];
        readonly resources: string[];
        readonly verbs: string[];
      }[];
    })[];
    for (const { metadata, rules } of roles) {
      const words = rules.flatMap(({ apiGroups, resources, verbs }) => [...apiGroups, ...resources, ...verbs]);
      expect(words, metadata.name).not.toContain('*');
    }
    const bound = all.objects.filter(({ kind }) => kind === 'ClusterRoleBinding') as (AnyObject & {
      readonly roleRef: { readonly name: string };
    })[];
    const everywhere = new Set(bound.map(({ roleRef }) => roleRef.name));
    const listing = roles
      .filter(({ kind, metadata }) => kind === 'ClusterRole' && everywhere.has(metadata.name ?? ''))
      .filter(({ rules }) =>
        rules.some(({ resources, verbs }) => resources.includes('secrets') && verbs.includes('list')),
      );
    expect(listing.map(({ metadata }) => metadata.name)).toEqual([]);
  });
});

describe('an upgrade', () => {
  const key = 'kubernetes.operator.label.selector';
  const still = { 'taskmanager.numberOfTaskSlots': 2 };
  it.each<[string, boolean, JsonObject, JsonObject]>([
    ['a default of resources', false, {}, still],
    ['a setting that is read again', false, {}, { 'kubernetes.operator.reconcile.interval': '30 s' }],
    ['a setting that is read at the start', true, still, { ...still, [key]: 'a=b' }],
    ['its value', true, { [key]: 'a=b' }, { [key]: 'a=c' }],
    ['its value, nested', true, { kubernetes: { 'operator.label': { selector: 'a' } } }, { [key]: 'b' }],
    ['the way it is written', false, { kubernetes: { operator: { label: { selector: 'a' } } } }, { [key]: 'a' }],
    ['anything, if nothing is read again', true, unread, { ...unread, ...still }],
    ['that it is read again', true, unread, {}],
  ])('replaces the pods or not, if in Flink’s configuration somebody changes %s: %s', (_, replaced, before, after) => {
    const pods = (config: JsonObject): unknown => {
      // With a file in either case, so that the volume is there.
      const values = { flink: { config, logFiles: { 'log4j-console.properties': '' } } };
      return the<Workload>(rendered(values), 'Deployment').spec.template;
    };
    if (replaced) expect(pods(after)).not.toEqual(pods(before));
    else expect(pods(after)).toEqual(pods(before));
  });

  it('finds the pods that are there: what cannot be changed depends on the name of the release alone', () => {
    const other = rendered({ ...everything, labels: { any: 'thing' }, podLabels: { other: 'one' }, replicas: 5 });
    const selector = (from: typeof all): unknown =>
      (the<AnyObject>(from, 'Deployment').spec as { readonly selector: unknown }).selector;
    expect(selector(other)).toEqual(selector(all));
    expect(selector(all)).toEqual({
      matchLabels: { 'app.kubernetes.io/name': 'cutover', 'app.kubernetes.io/instance': 'cutover' },
    });
    expect(chart.version).toBe(chart.appVersion);
  });

  it('changes no binding, which could not be changed: a role has the name of its binding', () => {
    const bindings = all.objects.filter(({ kind }) => kind.endsWith('Binding')) as (AnyObject & {
      readonly roleRef: { readonly name: string };
    })[];
    const others = bindings.filter(({ metadata, roleRef }) => metadata.name !== roleRef.name);
    expect(others.map(({ metadata }) => metadata.name).toSorted()).toEqual([
      'cutover-operator',
      'default-admin-binding',
    ]);
  });
});
