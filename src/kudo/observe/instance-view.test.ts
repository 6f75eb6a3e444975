import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../clock/virtual.ts';
import type { Cached } from '../../control/caches.ts';
import { Client } from '../../kube/client.ts';
import { KubeError } from '../../kube/error.ts';
import { kinds as builtIn } from '../../kube/kinds.ts';
import type { AnyObject, JsonObject, ManagedFieldsEntry, ObjectMeta, Status } from '../../kube/object.ts';
import { keyOf } from '../../kube/reflector/key.ts';
import { qualifiedName, type ResourceType } from '../../kube/resource-type.ts';
import type { Transport } from '../../kube/transport.ts';
import { driftFinding, driftOf } from '../decide/drift.ts';
import { annotations, heritage, labels } from '../keys.ts';
import { type Instance, type InstanceStatus, instance } from '../resources/instance.ts';
import { operatorVersion } from '../resources/operator-version.ts';
import { instanceByLabel, instanceByOwner } from './caches.ts';
import { instanceView } from './instance-view.ts';
import { openKinds } from './kinds.ts';
import { Verdicts } from './verdicts.ts';

const key = 'here/one';
const ours = { [labels.heritage]: heritage, [labels.instance]: 'one' };
const forbidden = new KubeError('forbidden', 'no');
const lost = new KubeError('unreachable', 'the connection broke');

const object = (apiVersion: string, kind: string, metadata: ObjectMeta): AnyObject => {
  return { apiVersion, kind, metadata: { uid: 'uid', resourceVersion: '1', ...metadata } };
};
const configMap = (metadata: ObjectMeta = {}): AnyObject => {
  return object('v1', 'ConfigMap', { name: 'x', namespace: 'here', ...metadata });
};
const role = (name: string, namespace: string): AnyObject =>
  object('rbac.authorization.k8s.io/v1', 'ClusterRole', {
    name: 'x',
    labels: { ...ours, [labels.instance]: name },
    annotations: { [annotations.namespace]: namespace },
  });
const ownedBy = (kind: string): ObjectMeta => ({
  ownerReferences: [{ apiVersion: 'x/v1', kind, name: 'o', uid: 'u', controller: true }],
});

const named = (name: string, namespace: string, status: InstanceStatus = {}, plan = ''): Instance => ({
  apiVersion: instance.apiVersion,
  kind: 'Instance',
  metadata: { name, namespace, uid: `uid-${name}`, resourceVersion: '1' },
  spec: { operatorVersion: { name: 'v' }, ...(plan !== '' && { planExecution: { planName: plan } }) },
  status,
});

interface Scene {
  /** On the server. */
  readonly stored?: AnyObject;
  /** In caches. */
  readonly seen?: readonly AnyObject[];
  /** Whether ConfigMaps are in their cache only for the first glance. */
  readonly leaving?: boolean;
  /** `pods`: what may not be watched. */
  readonly barred?: string;
  /** `configmaps`: whose watch was interrupted. */
  readonly interrupted?: string;
  /** Where the OperatorVersion is. Default: in its cache. */
  readonly version?: 'on the server only' | 'nowhere';
  /** What the server says instead to a request for this path, if it says anything. */
  readonly says?: (path: string) => Pick<Status, 'reason' | 'code'> | undefined;
  readonly status?: InstanceStatus;
  /** The plan that is asked for. */
  readonly asked?: string;
  readonly drift?: 'repair';
  /** What the server has said at former looks. */
  readonly verdicts?: Verdicts;
  readonly now?: number;
}

/** The view of the Instance `one`, with a task that applies the template. */
async function look(template: string, scene: Scene) {
  const {
    interrupted,
    stored,
    seen = [],
    leaving,
    barred,
    version,
    says = () => undefined,
    status = {},
    asked,
    drift,
    verdicts = new Verdicts(),
    now = 0,
  } = scene;
  const made = {
    ...object(operatorVersion.apiVersion, 'OperatorVersion', { name: 'v', namespace: 'here' }),
    spec: {
      templates: { 'x.yaml': template },
      tasks: [{ name: 't', kind: 'Apply', spec: { resources: ['x.yaml'] } }],
      plans: { deploy: { phases: [{ name: 'p', steps: [{ name: 's', tasks: ['t'] }] }] } },
    },
  };
  const accepted = { operatorVersion: { name: 'v' }, parameters: {} };
  const plain = named('one', 'here', { accepted, ...status }, asked);
  const one: Instance = drift ? { ...plain, spec: { ...plain.spec, drift } } : plain;
  const all = [one as unknown as AnyObject, named('two', 'there') as unknown as AnyObject, ...seen];
  if (!version) all.push(made);
  const cached = (type: ResourceType, index: typeof instanceByLabel = instanceByLabel) => {
    const shown = all.filter(({ kind }) => kind === type.kind);
    return {
      type,
      get: (wanted: string) => {
        const found = shown.find((one) => keyOf(one) === wanted);
        if (leaving && type.kind === 'ConfigMap') shown.length = 0;
        return found;
      },
      by: (_: string, wanted: string) => shown.filter((found) => index(found).includes(wanted)),
      // Those of another namespace have nothing to do with this one.
      trouble: forbidden,
      troubleIn: (namespace: string) => {
        if (namespace !== 'here') return forbidden;
        return type.plural === barred ? forbidden : type.plural === interrupted ? lost : undefined;
      },
      isBlindIn: (namespace: string) => namespace === 'blind',
    } as unknown as Cached<never, never>;
  };
  const watched = [builtIn.configMaps, builtIn.deployments, builtIn.jobs];
  const transport: Transport = {
    request: async ({ path }) => {
      const details = { name: path.slice(path.lastIndexOf('/') + 1) };
      const isVersion = path.includes('/operatorversions/');
      const found = isVersion ? version !== 'nowhere' && made : stored;
      const said = says(path) ?? (found ? undefined : { reason: 'NotFound', code: 404, details });
      return {
        status: said?.code ?? 200,
        headers: { 'content-type': 'application/json' },
        body: (async function* () {
          yield Buffer.from(
            JSON.stringify(said ? { kind: 'Status', apiVersion: 'v1', status: 'Failure', ...said } : found),
          );
        })(),
      };
    },
    connect: () => expect.fail('nothing to connect to'),
    close: async () => {},
  };
  const client = new Client(transport, { clock: new VirtualClock() });
  const caches = {
    instances: cached(instance.type),
    versions: cached(operatorVersion.type),
    objects: new Map(watched.map((type) => [qualifiedName(type), cached(type)])),
    replicaSets: cached(builtIn.replicaSets, instanceByOwner),
    pods: cached(builtIn.pods),
    sees: (namespace: string) => namespace !== 'unseen',
  };
  return instanceView(
    key,
    { object: one, now, outcomes: {}, signal: new AbortController().signal },
    {
      caches,
      client,
      kinds: openKinds(client),
      verdicts,
      seal: () => expect.fail('no key is needed'),
      randomBytes: (count) => new Uint8Array(count),
      waiterImage: 'waiter',
    },
  );
}

const execution = {
  uid: 'e',
  plan: 'deploy',
  cause: 'install',
  forced: false,
  startedAt: '2026-01-01T00:00:00Z',
} as const;

/** How the object of the template is found while a plan runs. */
async function found(apiVersion: string, kind: string, scene: Scene) {
  const template = `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: x\n`;
  const { world } = await look(template, { ...scene, status: { execution } });
  return Object.values(world)[0];
}

describe('an object wakes the Instance', () => {
  it.each<[string, string, Scene]>([
    ['once it is applied', 'ConfigMap', {}],
    ['if it has its labels', 'ConfigMap', { stored: configMap({ labels: ours }) }],
    ['if a cache has it', 'ConfigMap', { seen: [configMap({ labels: ours })] }],
    [
      'if it is a pod with its labels',
      'Pod',
      { stored: object('v1', 'Pod', { name: 'x', namespace: 'here', labels: ours }) },
    ],
  ])('%s', async (_, kind, scene) => {
    expect(await found('v1', kind, scene)).toMatchObject({ is: 'known', watched: true });
  });

  it.each<[string, string, Scene]>([
    ['it has no labels', 'ConfigMap', { stored: configMap() }],
    ['it has those of another', 'ConfigMap', { stored: configMap({ labels: { ...ours, [labels.instance]: 'two' } }) }],
    ['its kind may not be watched', 'ConfigMap', { barred: 'configmaps' }],
    ['a cache of it is out of date', 'ConfigMap', { barred: 'configmaps', seen: [configMap({ labels: ours })] }],
    ['nobody watches its kind', 'Secret', {}],
  ])('not if %s', async (_, kind, scene) => {
    expect(await found('v1', kind, scene)).toMatchObject({ is: 'known', watched: false });
  });
});

it('an object that leaves its cache while others are read is looked for on the server', async () => {
  const template = ['ConfigMap', 'Secret']
    .map((kind) => `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: x\n`)
    .join('---\n');
  const fleeting = { seen: [configMap({ labels: ours })], leaving: true, status: { execution } };
  const { world } = await look(template, fleeting);
  expect(world['v1 ConfigMap x']).toEqual({ is: 'known', namespaced: true, watched: true });
});

describe('what keeps up a plan', () => {
  const podSpec = { volumes: [{ configMap: { name: 'c' } }, { secret: { secretName: 's' } }] };
  const deployment: AnyObject = {
    ...object('apps/v1', 'Deployment', { name: 'x', namespace: 'here', labels: ours, generation: 1 }),
    spec: { template: { spec: podSpec } },
  };
  const pod = object('v1', 'Pod', { name: 'p', namespace: 'here', labels: ours });
  const template = 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: x\n';
  const running = { ...execution, startedAt: '1970-01-01T00:00:00Z' };
  const scene: Scene = {
    seen: [deployment, pod],
    status: { execution: running },
    says: (path) => (path.includes('/secrets/') ? { reason: 'Forbidden', code: 403 } : undefined),
  };

  it('is looked at once it takes too long; what may not be read is not missing', async () => {
    const { hindrances } = await look(template, { ...scene, now: 600_000 });
    expect(hindrances?.missing).toEqual([{ apiVersion: 'v1', kind: 'ConfigMap', name: 'c' }]);
    expect(hindrances?.pods.map(({ metadata }) => metadata.name)).toEqual(['p']);
  });

  it("is nobody's question before", async () => {
    expect(await look(template, { ...scene, now: 599_999 })).not.toHaveProperty('hindrances');
  });
});

describe('an OperatorVersion', () => {
  it('is there if the server has it: the cache may lag', async () => {
    const { versions } = await look('', { version: 'on the server only' });
    expect(versions).toMatchObject({ wanted: { metadata: { name: 'v' } }, accepted: { metadata: { name: 'v' } } });
  });

  it('is not there if its name has a slash, whatever is called like the part before', async () => {
    const accepted = { operatorVersion: { name: 'v/x' }, parameters: {} };
    const { versions } = await look('', { version: 'on the server only', status: { accepted } });
    expect(versions.accepted).toBeUndefined();
  });

  it('is not there if the server does not have it either', async () => {
    expect((await look('', { version: 'nowhere' })).versions).toEqual({});
  });

  it('is asked for once if it is the one that was accepted', async () => {
    const asked: string[] = [];
    await look('', { version: 'nowhere', says: (path) => void asked.push(path) });
    expect(asked).toHaveLength(1);
  });

  it('is not taken for gone if the server does not let us look', async () => {
    const says = () => ({ reason: 'Forbidden', code: 403, message: 'not you' });
    const view = await look('', { version: 'nowhere', says, status: { execution } });
    const unreadable = expect.stringContaining('not you');
    expect(view.versions).toEqual({ unreadable: { wanted: unreadable, accepted: unreadable } });
    expect(view).not.toHaveProperty('change');
  });

  it('is not taken for gone where nobody looks', async () => {
    const accepted = { operatorVersion: { name: 'v', namespace: 'unseen' }, parameters: {} };
    const { versions } = await look('', { status: { accepted } });
    expect(versions.unreadable?.accepted).toContain('does not look at namespace unseen');
  });

  it('is not taken for gone if the server does not find the whole resource', async () => {
    const says = () => ({ reason: 'NotFound', code: 404 });
    await expect(look('', { version: 'nowhere', says })).rejects.toThrow(KubeError);
  });
});

describe('a Job that is in the way of a plan for good', () => {
  const pod = (image: string): object => ({ spec: { containers: [{ name: 'main', image }], restartPolicy: 'Never' } });
  const job = (image: string): AnyObject => {
    const metadata = { name: 'x', namespace: 'here', labels: ours };
    return { ...object('batch/v1', 'Job', metadata), spec: { template: pod(image) } };
  };
  const template = JSON.stringify({ ...job('new'), metadata: { name: 'x' } });
  const there = async (scene: Scene): Promise<unknown> => {
    const { world } = await look(template, { ...scene, status: { execution } });
    return world['batch/v1 Job x'];
  };

  it('is not there if the server has it no more, whatever the cache shows', async () => {
    expect(await there({ seen: [job('old')] })).toEqual({ is: 'known', namespaced: true, watched: true });
  });

  it('is there if the server has it, too', async () => {
    expect(await there({ seen: [job('old')], stored: job('old') })).toHaveProperty('object.kind', 'Job');
  });
});

describe('an object of a kind that the server does not find at all', () => {
  const says = (path: string) => (path.endsWith('/configmaps/x') ? { reason: 'NotFound', code: 404 } : undefined);

  it('is not taken for gone while the server says that it serves the kind', async () => {
    const kinds = { resources: [{ name: 'configmaps', kind: 'ConfigMap', namespaced: true }] };
    const stored = kinds as unknown as AnyObject;
    expect(await found('v1', 'ConfigMap', { says, stored })).toMatchObject({ is: 'unreadable' });
  });

  it('is gone with its definition', async () => {
    expect(await found('v1', 'ConfigMap', { says })).toEqual({ is: 'known', namespaced: true, watched: true });
  });
});

describe('an object of the cluster', () => {
  const group = 'rbac.authorization.k8s.io/v1';

  it('is held by the other Instance that it names', async () => {
    expect(await found(group, 'ClusterRole', { stored: role('two', 'there') })).toHaveProperty('holder', 'there/two');
  });

  it('is held by an Instance in a namespace that nobody looks at: it may well be there', async () => {
    const held = { stored: role('gone', 'unseen') };
    expect(await found(group, 'ClusterRole', held)).toHaveProperty('holder', 'unseen/gone');
    const unread = { stored: role('gone', 'blind') };
    expect(await found(group, 'ClusterRole', unread)).toHaveProperty('holder', 'blind/gone');
  });

  it.each([
    ['this Instance', role('one', 'here')],
    ['an Instance that is gone', role('gone', 'there')],
    ['nobody', object(group, 'ClusterRole', { name: 'x' })],
  ])('is not held if it names %s', async (_, stored) => {
    expect(await found(group, 'ClusterRole', { stored })).not.toHaveProperty('holder');
  });
});

describe('what Ready speaks of', () => {
  const set = (name: string, owner: string): AnyObject =>
    object('apps/v1', 'ReplicaSet', { name, namespace: 'here', labels: ours, ...ownedBy(owner) });

  it('are ReplicaSets that a plan made, not those of Deployments', async () => {
    const { belongings } = await look('', { seen: [set('a', 'Instance'), set('b', 'Deployment')] });
    expect(belongings.workloads.map(({ metadata }) => metadata.name)).toEqual(['a']);
    expect(belongings.unreadable).toEqual([]);
  });

  it('is incomplete where a kind may not be watched', async () => {
    expect((await look('', { barred: 'pods' })).belongings.unreadable).toEqual(['pods']);
  });
});

describe('what a plan has applied', () => {
  const objects = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x' }];
  const applied = async (scene: Scene): Promise<unknown> => {
    const { belongings } = await look('', { ...scene, status: { objects } });
    return belongings.applied['v1 ConfigMap x'];
  };

  it('is not gone while the server has it: the cache may be of before it was made', async () => {
    expect(await applied({ stored: configMap({ labels: ours }) })).toMatchObject({ kind: 'ConfigMap' });
  });

  it('is what the cache shows whose watch was interrupted: nothing would tell of it once more', async () => {
    expect(await applied({ interrupted: 'configmaps', seen: [configMap({ labels: ours })] })).toMatchObject({
      kind: 'ConfigMap',
    });
    expect(await applied({ barred: 'configmaps', seen: [configMap({ labels: ours })] })).toBeUndefined();
  });

  it.each<[string, Scene]>([
    ['the server has it no more', {}],
    ['it has lost its labels', { stored: configMap() }],
  ])('is gone if %s', async (_, scene) => {
    expect(await applied(scene)).toBeNull();
  });

  it.each([
    ['does not find the whole resource', { reason: 'NotFound', code: 404 }],
    ['fails', { reason: 'InternalError', code: 500 }],
  ])('is left open where the server %s, and only there', async (_, said) => {
    const both = [...objects, { apiVersion: 'v1', kind: 'ConfigMap', name: 'y' }];
    const says = (path: string) => (path.endsWith('/x') ? said : undefined);
    const { belongings } = await look('', { says, stored: configMap({ labels: ours }), status: { objects: both } });
    expect(belongings.unconfirmed).toEqual(['v1 ConfigMap x']);
    expect(belongings.applied).toMatchObject({ 'v1 ConfigMap y': { kind: 'ConfigMap' } });
  });

  const template = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n';

  it('is asked for once if it is gone, and again where it is set right now', async () => {
    const asked: string[] = [];
    const says = (path: string) => void asked.push(path);
    const drift = driftOf({ applied: { 'v1 ConfigMap x': null }, workloads: [] });
    const told = (isRepaired: boolean): InstanceStatus => {
      const finding = driftFinding(drift, isRepaired) ?? expect.fail('nothing drifted');
      return { objects, conditions: [{ ...finding, lastTransitionTime: '' }] };
    };
    await look(template, { says, status: { objects } });
    expect(asked).toHaveLength(1);
    await look(template, { says, status: told(false) });
    expect(asked).toHaveLength(1);
    await look(template, { says, status: told(true), drift: 'repair' });
    expect(asked).toHaveLength(2);
    // Not after a plan that failed, nor before it is time for another repair.
    const past = {
      uid: 'p',
      plan: 'deploy',
      forced: false,
      startedAt: '1969-12-31T23:59:00Z',
      endedAt: '1969-12-31T23:59:59Z',
    };
    const failed = { ...past, cause: 'install', outcome: 'FATAL_ERROR' } as const;
    await look(template, { says, status: { ...told(false), history: [failed] }, drift: 'repair' });
    const repaired = { ...past, cause: 'repair', outcome: 'COMPLETE' } as const;
    await look(template, { says, status: { ...told(true), history: [repaired] }, drift: 'repair' });
    expect(asked).toHaveLength(2);
  });

  it('is as the cache shows it where we may not look', async () => {
    const says = () => ({ reason: 'Forbidden', code: 403 });
    const { belongings } = await look('', { says, status: { objects } });
    expect(belongings).toMatchObject({ applied: { 'v1 ConfigMap x': null } });
    expect(belongings).not.toHaveProperty('unconfirmed');
  });

  const set = { [annotations.lastApplied]: JSON.stringify({ data: { level: 'info' } }) };
  const entry = (manager: string, time: string, fieldsV1?: JsonObject): ManagedFieldsEntry => {
    return { manager, operation: 'Update', time, ...(fieldsV1 && { fieldsV1 }) };
  };
  const level = { 'f:data': { 'f:level': {} } };
  const other = { 'f:metadata': { 'f:annotations': { 'f:x': {} } } };
  /** Written by a plan and, an hour earlier by the clock, by somebody else: what belongs to whom, unless it is left out. */
  const edited = (mine?: JsonObject, theirs?: JsonObject, metadata: ObjectMeta = {}): AnyObject => {
    const managedFields = [
      entry('cutover-kudo', '2026-01-01T10:00:00Z', mine),
      entry('kubectl', '2026-01-01T09:00:00Z', theirs),
    ];
    return { ...configMap({ labels: ours, annotations: set, managedFields, ...metadata }), data: { level: 'INFO' } };
  };

  it('is asked for whose it is now if somebody wrote to it, however long ago by the clock', async () => {
    const drifted = async (mine: JsonObject, theirs: JsonObject): Promise<readonly string[]> => {
      const seen = [edited()];
      const stored = edited(mine, theirs);
      const told = driftFinding(driftOf({ applied: { 'v1 ConfigMap x': seen[0] ?? null }, workloads: [] }), false);
      const conditions = told ? [{ ...told, lastTransitionTime: '' }] : expect.fail('nothing drifted');
      const { belongings } = await look('', { seen, stored, status: { objects } });
      // That it was reported before says nothing of now: a plan may have set it right.
      const { belongings: later } = await look('', { seen, stored, status: { objects, conditions } });
      expect(driftOf(later)).toEqual(driftOf(belongings));
      return driftOf(belongings).map(({ what }) => what);
    };
    expect(await drifted(other, level)).toEqual(['ConfigMap x was changed']);
    expect(await drifted(level, other)).toEqual([]);
  });

  describe('and was written to by somebody', () => {
    /** What drifted at each of several looks, and how often the server was asked for it. */
    const looks = async (scenes: readonly Scene[]) => {
      const asked: string[] = [];
      const verdicts = new Verdicts();
      const drifts: string[][] = [];
      let status: InstanceStatus = { objects };
      for (const scene of scenes) {
        const says = (path: string) => scene.says?.(path) ?? void asked.push(path);
        const { belongings } = await look(template, { ...scene, says, status, verdicts });
        const drift = driftOf(belongings);
        const told = driftFinding(drift, false);
        status = { objects, ...(told && { conditions: [{ ...told, lastTransitionTime: '' }] }) };
        drifts.push(drift.map(({ what }) => what));
      }
      return { drifts, asked: asked.length };
    };
    const mine = { seen: [edited()], stored: edited(level, other) };
    const theirs = { seen: [edited()], stored: edited(other, level) };

    it.each<[string, Scene, string[]]>([
      ['is still as it was left', mine, []],
      ['was changed', theirs, ['ConfigMap x was changed']],
      [
        'belongs to another',
        { ...mine, stored: edited(level, other, { labels: { ...ours, [labels.instance]: 'two' } }) },
        ['ConfigMap x is gone'],
      ],
    ])('is asked for once if it %s', async (_, scene, drift) => {
      expect(await looks([scene, scene, scene])).toEqual({ drifts: [drift, drift, drift], asked: 1 });
    });

    it('is asked for again in another version', async () => {
      const next = { resourceVersion: '2' };
      const later = { seen: [edited(undefined, undefined, next)], stored: edited(other, level, next) };
      expect(await looks([mine, later, later])).toMatchObject({
        drifts: [[], ['ConfigMap x was changed'], ['ConfigMap x was changed']],
        asked: 2,
      });
    });

    it.each([
      ['version', { resourceVersion: '2' }],
      ['object of its name', { uid: 'other' }],
    ])('is asked for until the cache shows the %s that the server has', async (_, metadata) => {
      const lagging = { ...mine, stored: edited(level, other, metadata) };
      expect(await looks([lagging, lagging])).toEqual({ drifts: [[], []], asked: 2 });
    });

    it('is asked for again before it is set right', async () => {
      const repaired = { ...theirs, stored: edited(level, other), drift: 'repair' } as const;
      const told = ['ConfigMap x was changed'];
      expect(await looks([theirs, repaired])).toEqual({ drifts: [told, []], asked: 2 });
    });

    it('is asked for again if the server did not answer', async () => {
      const failing = { ...mine, says: () => ({ reason: 'InternalError', code: 500 }) };
      expect(await looks([failing, mine, mine])).toMatchObject({ asked: 1 });
    });
  });

  it('is not asked for where the cache shows it as it should be', async () => {
    const seen = [configMap({ labels: ours, resourceVersion: '5' })];
    expect(await applied({ seen, stored: configMap({ labels: ours, resourceVersion: '7' }) })).toBe(seen[0]);
  });
});

describe('a plan that is to begin', () => {
  const template = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n';

  it('is looked at as if it ran', async () => {
    const { change, instance: seen, work, world } = await look(template, { asked: 'deploy', stored: configMap() });
    expect(change).toMatchObject({ moved: true, status: { execution: { plan: 'deploy' } } });
    expect(seen.status).not.toHaveProperty('execution');
    expect(work.map(({ step }) => step)).toEqual(['s']);
    expect(Object.values(world)).toMatchObject([{ is: 'known', object: { kind: 'ConfigMap' } }]);
  });

  it('is none where nobody asks for one', async () => {
    const { change, work } = await look(template, {});
    expect(change).toMatchObject({ moved: false });
    expect(work).toEqual([]);
  });
});
