import { describe, expect, it } from 'vitest';
import type { AnyObject, ManagedFieldsEntry } from '../../kube/object.ts';
import type { InstanceStatus, PastExecution } from '../resources/instance.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { driftOf } from './drift.ts';
import { decideInstance } from './instance.ts';
import { nextRepair, repairing } from './repair.ts';
import { type Rest, rest } from './rest.ts';
import type { InstanceView } from './view.ts';

const configMap = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`;
const phases = (task: string) => [{ name: 'main', strategy: 'serial', steps: [{ name: 'main', tasks: [task] }] }];
const version = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: 'v', namespace: 'default' },
  spec: {
    templates: { 'config.yaml': configMap('{{ .Name }}-config'), 'note.yaml': configMap('{{ .Name }}-note') },
    tasks: [
      { name: 'config', kind: 'Apply', spec: { resources: ['config.yaml'] } },
      { name: 'note', kind: 'Apply', spec: { resources: ['note.yaml'] } },
    ],
    plans: { deploy: { phases: phases('config') }, note: { phases: phases('note') } },
  },
} as unknown as OperatorVersion;
const status: InstanceStatus = { accepted: { operatorVersion: { name: 'v' }, parameters: {} } };
const view = {
  instance: { metadata: { name: 'one', namespace: 'default', uid: 'u' } },
  versions: { accepted: version, wanted: version },
} as unknown as InstanceView;
const ended = Date.parse('2026-11-01T10:00:00Z');
const past = (cause: PastExecution['cause']): PastExecution => ({
  uid: 'u',
  plan: 'deploy',
  cause,
  forced: false,
  startedAt: '2026-11-01T10:00:00Z',
  endedAt: '2026-11-01T10:00:00Z',
  outcome: 'COMPLETE',
});
const gone = (...ids: readonly string[]) =>
  driftOf({ applied: Object.fromEntries(ids.map((id) => [id, null as AnyObject | null])), workloads: [] });

describe('drift', () => {
  it('is not a Job or a Pod that has gone: it is done', () => {
    const drift = gone('batch/v1 Job init', 'v1 Pod pipe', 'v1 ConfigMap one-config');
    expect(drift).toEqual([{ id: 'v1 ConfigMap one-config', what: 'ConfigMap one-config is gone' }]);
  });

  const scaledBy = (manager: string, subresource: string) => {
    const applied = { spec: { replicas: 2 } };
    const web: AnyObject = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {
        name: 'web',
        annotations: { 'kudo.dev/last-applied-configuration': JSON.stringify(applied) },
        managedFields: [
          { manager: 'cutover-kudo', operation: 'Apply', time: '2026-11-01T10:00:00Z' },
          { manager, operation: 'Update', subresource, time: '2026-11-01T11:00:00Z' },
        ],
      },
      spec: { replicas: 5 },
    };
    return driftOf({ applied: { 'apps/v1 Deployment web': web }, workloads: [] }).map(({ what }) => what);
  };

  it('is what somebody scaled by hand, not what an autoscaler did or a status says', () => {
    expect(scaledBy('kubectl', 'scale')).toEqual(['Deployment web was changed']);
    expect(scaledBy('kube-controller-manager', 'scale')).toEqual([]);
    expect(scaledBy('somebody', 'status')).toEqual([]);
  });
});

describe('what somebody else set', () => {
  const early = '2026-11-01T09:00:00Z';
  const late = '2026-11-01T10:00:00Z';
  const wanted = {
    data: { level: 'info', note: 'none' },
    ports: [{ port: 80 }, { port: 90 }],
    hosts: ['a', 'b'],
    args: ['x', 'y'],
    mounts: [
      { name: 'v', at: '/one' },
      { name: 'v', at: '/two' },
    ],
  };
  const port = (number: number) => `k:{"port":${number},"protocol":"TCP"}`;
  /** What the server says is ours after an apply of all of that. */
  const all = {
    'f:data': { '.': {}, 'f:level': {}, 'f:note': {} },
    'f:ports': { [port(80)]: { '.': {}, 'f:port': {} }, [port(90)]: { '.': {}, 'f:port': {} } },
    'f:hosts': { 'v:"a"': {}, 'v:"b"': {} },
    'f:args': {},
    'f:mounts': {},
  };
  const set = (fields: object, manager: string, time: string) => {
    return { manager, operation: 'Update', time, fieldsV1: fields } as ManagedFieldsEntry;
  };
  const isDrift = (live: object, ...managedFields: readonly ManagedFieldsEntry[]): boolean => {
    const annotations = { 'kudo.dev/last-applied-configuration': JSON.stringify(wanted) };
    const one = { apiVersion: 'v1', kind: 'Thing', metadata: { annotations, managedFields }, ...wanted, ...live };
    return driftOf({ applied: { 'v1 Thing one': one }, workloads: [] }).length > 0;
  };
  const ours = (fields: object): ManagedFieldsEntry => set(fields, 'cutover-kudo', late);
  const other = (fields: object, time = early): ManagedFieldsEntry => set(fields, 'kubectl', time);
  const edited = { data: { level: 'debug', note: 'none' } };
  const edit = { 'f:data': { 'f:level': {} } };
  const left = { ...all, 'f:data': { '.': {}, 'f:note': {} } };

  it('is drift whatever the clock said then', () => {
    expect(isDrift(edited, ours(left), other(edit))).toBe(true);
  });

  it('is not what is ours still: the server spells it in its own way', () => {
    expect(isDrift(edited, ours(all), other({ 'f:metadata': {} }, late))).toBe(false);
    expect(isDrift({ args: ['z'] }, ours(all), other({ 'f:metadata': {} }, late))).toBe(false);
  });

  it('is not what a controller of the cluster set', () => {
    const scaler = set(edit, 'kube-controller-manager', late);
    expect(isDrift(edited, ours(left), scaler, other({ 'f:metadata': {} }, late))).toBe(false);
  });

  it.each([
    ['a list as a whole', { args: ['z', 'y'] }, 'f:args', undefined, {}],
    [
      'an item by what tells it from others',
      { ports: [{ port: 80 }] },
      'f:ports',
      { [port(80)]: {} },
      { [port(90)]: {} },
    ],
    ['an item by its value', { hosts: ['a'] }, 'f:hosts', { 'v:"a"': {} }, { 'v:"b"': {} }],
  ])('is %s', (_, live, field, kept, taken) => {
    const { [field]: _lost, ...rest } = all as Record<string, object>;
    const keeps = kept ? { ...rest, [field]: kept } : rest;
    expect(isDrift(live, ours(keeps), other({ [field]: taken }))).toBe(true);
    expect(isDrift(live, ours(all), other({ [field]: taken }))).toBe(false);
  });

  it('is what it removed, which is nobody’s then, if it wrote last', () => {
    const removed = { data: { note: 'none' } };
    expect(isDrift(removed, ours(left), other({ 'f:metadata': {} }, late))).toBe(true);
    expect(isDrift(removed, ours(left), other({ 'f:metadata': {} }))).toBe(false);
  });

  it('may be all that differs where nothing says whose it is', () => {
    expect(isDrift(edited, other(edit))).toBe(true);
    expect(isDrift(edited, { manager: 'cutover-kudo', time: late }, { manager: 'kubectl', time: early })).toBe(true);
    expect(isDrift({}, { manager: 'cutover-kudo', time: late }, { manager: 'kubectl', time: late })).toBe(false);
  });
});

describe('a repair', () => {
  it('runs the plan that applies everything, quietly', () => {
    const begins = repairing(gone('v1 ConfigMap one-config', 'v1 ConfigMap one-note'), status, view);
    expect(begins).toMatchObject({ plan: 'deploy', cause: 'repair', forced: false });
  });

  it('is not begun for what that plan does not apply: it would never be done', () => {
    expect(repairing(gone('v1 ConfigMap one-note'), status, view)).toBeUndefined();
  });

  it('runs deploy where update does not apply what drifted', () => {
    const { plans } = version.spec;
    const both = { ...version, spec: { ...version.spec, plans: { ...plans, update: { phases: phases('note') } } } };
    const around = { ...view, versions: { accepted: both, wanted: both } } as InstanceView;
    expect(repairing(gone('v1 ConfigMap one-config'), status, around)?.plan).toBe('deploy');
    expect(repairing(gone('v1 ConfigMap one-note'), status, around)?.plan).toBe('update');
  });

  it('runs the plan that applied it last where neither does, if that still applies it', () => {
    const changed = (plan: string) => [{ id: 'v1 ConfigMap one-note', what: 'ConfigMap one-note was changed', plan }];
    expect(repairing(changed('note'), status, view)?.plan).toBe('note');
    expect(repairing(changed('gone'), status, view)).toBeUndefined();
  });

  it.each([
    ['FATAL_ERROR', false],
    ['CANCELED', false],
    ['COMPLETE', true],
    ['SUPERSEDED', true],
  ] as const)('after %s is begun: %s', (outcome, isBegun) => {
    const history = [{ ...past('parameters'), outcome }];
    expect(repairing(gone('v1 ConfigMap one-config'), { ...status, history }, view) !== undefined).toBe(isBegun);
  });

  it('comes the later, the more often it was in vain', () => {
    const seconds = (...causes: readonly PastExecution['cause'][]): number | undefined => {
      const at = nextRepair({ history: causes.map(past) }, ended);
      return at === undefined ? undefined : (at - ended) / 1000;
    };
    expect([
      seconds(),
      seconds('install'),
      seconds('repair', 'install'),
      seconds('trigger', 'repair', 'repair'),
    ]).toEqual([undefined, undefined, 60, 60]);
    expect([seconds('repair', 'repair', 'install'), seconds('repair', 'repair', 'repair')]).toEqual([120, 240]);
  });

  it('need not wait for an end of the last one that a clock which was set back has yet to reach', () => {
    expect(nextRepair({ history: [past('repair')] }, ended - 1)).toBeUndefined();
  });
});

describe('drift that could not be confirmed', () => {
  const id = 'v1 ConfigMap one-config';
  const resting = (message: string | undefined, unconfirmed: readonly string[]) => {
    const drifted = { type: 'Drifted', status: 'True', reason: 'ObjectsChanged', lastTransitionTime: '' } as const;
    const conditions = message === undefined ? [] : [{ ...drifted, message }];
    const instance = { ...view.instance, spec: { operatorVersion: { name: 'v' }, drift: 'repair' } } as const;
    const belongings = { applied: { [id]: null }, workloads: [], unconfirmed };
    return rest({ ...status, conditions }, { ...view, instance, belongings, now: 0 });
  };
  const toldBy = ({ conditions }: Rest) => conditions.find(({ type }) => type === 'Drifted')?.message;

  it('is not told, sets nothing right, and is looked at again soon', () => {
    const found = resting(undefined, [id]);
    expect(toldBy(found)).toBeUndefined();
    expect(found).toMatchObject({ wakeAt: 10_000 });
    expect(found).not.toHaveProperty('repair');
  });

  it('is told if it was told before, and still sets nothing right', () => {
    const found = resting('ConfigMap one-config is gone: it is being set right', [id]);
    expect(toldBy(found)).toMatch(/^ConfigMap one-config is gone: run /);
    expect(found).not.toHaveProperty('repair');
  });

  it('is set right once it is', () => {
    expect(resting(undefined, [])).toMatchObject({ repair: { plan: 'deploy' } });
  });
});

describe('an Instance whose objects drifted while its plan ran', () => {
  it('is not ready since that plan began: it was not in between', () => {
    const began = '2026-11-01T10:00:00Z';
    const ready = {
      type: 'Ready',
      status: 'Unknown',
      lastTransitionTime: began,
      reason: 'PlanInProgress',
      message: '',
    };
    const metadata = { name: 'one', namespace: 'default', uid: 'u', resourceVersion: '1', generation: 1 };
    const spec = { operatorVersion: { name: 'v' }, parameters: {}, drift: 'repair' };
    const decision = decideInstance({
      ...view,
      instance: {
        apiVersion: 'kudo.dev/v1beta1',
        kind: 'Instance',
        metadata,
        spec,
        status: { ...status, executions: 1, history: [past('install')], conditions: [ready] },
      },
      belongings: { applied: { 'v1 ConfigMap one-config': null }, workloads: [] },
      work: [],
      world: {},
      outcomes: {},
      now: Date.parse(began) + 60_000,
    } as unknown as InstanceView);
    const [journal] = decision.actions;
    expect(journal).toMatchObject({
      do: 'status',
      status: { execution: { cause: 'repair' }, conditions: [{ ...ready, message: expect.any(String) }, {}, {}] },
    });
  });
});
