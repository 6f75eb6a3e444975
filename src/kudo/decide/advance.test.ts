import { describe, expect, it } from 'vitest';
import { type Outcomes, outcomeId } from '../../control/outcome.ts';
import type { Execution, Instance, InstanceStatus } from '../resources/instance.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { type Advance, advance } from './advance.ts';
import { begin } from './execution.ts';
import type { World } from './view.ts';
import { workOf } from './work-of.ts';

const config = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`;

const version = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: 'v', namespace: 'default' },
  spec: {
    templates: {
      'a.yaml': config('a'),
      'b.yaml': config('b'),
      'own.yaml': 'apiVersion: example.org/v1\nkind: Widget\nmetadata:\n  name: w\n',
    },
    tasks: [
      { name: 'a', kind: 'Apply', spec: { resources: ['a.yaml'] } },
      { name: 'b', kind: 'Apply', spec: { resources: ['b.yaml'] } },
      { name: 'fails', kind: 'Dummy', spec: { wantErr: true } },
      { name: 'own', kind: 'Apply', spec: { resources: ['own.yaml'] } },
    ],
    plans: {
      own: { strategy: 'serial', phases: [{ name: 'p', strategy: 'serial', steps: [{ name: 's', tasks: ['own'] }] }] },
      together: { phases: [{ name: 'p', strategy: 'serial', steps: [{ name: 's', tasks: ['a', 'b'] }] }] },
      apart: {
        phases: [
          {
            name: 'p',
            strategy: 'parallel',
            steps: [
              { name: 'a', tasks: ['a'] },
              { name: 'b', tasks: ['b'] },
            ],
          },
        ],
      },
      fails: {
        strategy: 'serial',
        phases: [{ name: 'p', strategy: 'serial', steps: [{ name: 's', tasks: ['fails'] }] }],
      },
    },
  },
} as unknown as OperatorVersion;

const start = Date.parse('2026-11-01T10:00:00Z');
const about = { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', namespace: 'default', name: 'one' };
const absent = { is: 'known', namespaced: true, watched: true } as const;
const world: World = { 'v1 ConfigMap a': absent, 'v1 ConfigMap b': absent };

type Running = InstanceStatus & { readonly execution: Execution };

const begun = (plan: string): Running =>
  begin(
    {},
    {
      plan,
      cause: 'trigger',
      changed: [],
      forced: false,
      accepted: { operatorVersion: { name: 'v' }, parameters: {} },
    },
    { instanceUid: 'i-1', generation: 1, version, now: start },
  ) as Running;

/** One look at a plan that runs. */
function look(
  status: Running,
  outcomes: Outcomes = {},
  now = start,
  seen = world,
  by: OperatorVersion | null = version,
): Advance {
  const instance = {
    apiVersion: about.apiVersion,
    kind: about.kind,
    metadata: { name: 'one', namespace: 'default', uid: 'i-1', resourceVersion: '1' },
    spec: { operatorVersion: { name: 'v' }, retryLimit: 2 },
    status,
  } as Instance;
  const work = by ? workOf({ instance, status, version: by, waiterImage: 'busybox' }) : [];
  const belongings = { applied: {}, workloads: [] };
  const view = { instance, versions: by ? { accepted: by } : {}, work, world: seen, belongings, outcomes, now };
  return advance(status, view, { ...about, uid: 'i-1', resourceVersion: '1' });
}

const applied = ({ actions }: Advance): readonly string[] =>
  actions.map((action) => (action.do === 'apply' ? (action.object.metadata.name ?? '') : action.do));

describe('a plan whose OperatorVersion is gone', () => {
  const running = begun('together');
  const barred = { type: 'AccessMissing', status: 'True', reason: 'VersionNotReadable', message: 'not you' } as const;
  const told = { ...barred, lastTransitionTime: '2026-11-01T09:00:00Z', observedGeneration: 1 };
  const waiting = look({ ...running, conditions: [told] }, {}, start, world, null);

  it('waits, says what for, and no longer that it may not be read', () => {
    expect(waiting.actions).toEqual([]);
    expect(waiting.status.conditions).toEqual([
      expect.objectContaining({
        type: 'Stalled',
        reason: 'OperatorVersionNotFound',
        message: expect.stringContaining('Install it again'),
      }),
    ]);
  });

  it('goes on when it is back', () => {
    const next = look(waiting.status as Running);
    expect(applied(next)).toEqual(['a', 'b']);
    expect(next.status.conditions).toEqual([]);
  });
});

describe('what could not be sent', () => {
  it.each(['together', 'apart'])('does not keep back what others send: %s', (plan) => {
    const status = begun(plan);
    const [first] = look(status).actions;
    if (!first) return expect.fail('nothing was sent');
    const unavailable = {
      result: 'unavailable',
      at: start,
      since: start,
      of: '',
      message: 'a webhook is down',
    } as const;
    expect(applied(look(status, { [outcomeId(first)]: unavailable }, start + 5000))).toEqual(['b', 'a']);
  });
});

describe('a step that fails by itself', () => {
  const old = {
    'apply v1 ConfigMap default/x': { result: 'refused', at: start - 60_000, since: 0, of: '', message: '' },
  };

  const lost = {
    'apply v1 ConfigMap default/x': { result: 'unavailable', at: start, since: start, of: '', message: '' },
  };

  it.each([
    ['nothing was refused before', {}],
    ['something was refused in an earlier execution', old as Outcomes],
    ['the answer to something that took effect was lost', lost as Outcomes],
  ])('is given up after so many tries, where %s', (_, outcomes) => {
    let status: InstanceStatus = begun('fails');
    let looks = 0;
    for (; status.execution && looks < 10; looks++) {
      status = look({ ...status, execution: status.execution }, outcomes, start + looks * 1000).status;
    }
    expect(looks).toBe(3);
    expect(status.history?.[0]).toMatchObject({ outcome: 'FATAL_ERROR', message: expect.stringContaining('given up') });
  });
});

describe('failures after somebody has set the clock back', () => {
  const back = start - 3_600_000;

  it('count, also of a step that fails by itself', () => {
    let { execution } = look(begun('fails')).status;
    for (const now of [back, back + 500, back + 1000]) {
      if (!execution) return expect.fail('it was given up');
      execution = look({ ...begun('fails'), execution: { ...execution, failures: 0 } }, {}, now).status.execution;
      expect(execution?.failures).toBe(now === back + 500 ? 0 : 1);
    }
  });

  it('count by when they were, not by when the plan began', () => {
    const status = begun('together');
    const [first] = look(status).actions;
    if (!first) return expect.fail('nothing was sent');
    const lost = { result: 'unavailable', at: back - 2000, since: back - 2000, of: '', message: '' } as const;
    const { execution } = look(status, { [outcomeId(first)]: lost }, back).status;
    expect(execution?.failedAt).toBe(new Date(back - 2000).toISOString());
  });
});

it('a plan that began nobody knows when is looked at again, all the same', () => {
  const status = begun('fails');
  const { wakeAt } = look({ ...status, execution: { ...status.execution, startedAt: 'once upon a time' } });
  expect(wakeAt).toBe(start + 60_000);
});

describe('a kind that the server does not serve', () => {
  const unknown: World = { 'example.org/v1 Widget w': { is: 'unknown-kind' } };
  const crd = (name: string) => ({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name });

  it('fails the plan', () => {
    expect(look(begun('own'), {}, start, unknown).status.history?.[0]?.outcome).toBe('FATAL_ERROR');
    const foreign = { ...begun('own'), objects: [crd('widgets.other.example.org')] };
    expect(look(foreign, {}, start, unknown).status.history?.[0]?.outcome).toBe('FATAL_ERROR');
  });

  it('is waited for if the Instance has brought its definition: it is served a moment after it is established', () => {
    const { status, wakeAt } = look({ ...begun('own'), objects: [crd('widgets.example.org')] }, {}, start, unknown);
    expect(status.planStatus?.own?.phases?.[0]?.steps?.[0]).toMatchObject({ status: 'ERROR' });
    expect(wakeAt).toBe(start + 1000);
  });
});

it('what is wrong with a template takes no more room in the status than people read', () => {
  const fields = Array.from({ length: 500 }, (_, index) => `f${index}: x\n`).join('');
  const long = `${'y'.repeat(200_000)}: x\n`;
  const messy = { ...version, spec: { ...version.spec, templates: { 'a.yaml': `${config('a')}${fields}${long}` } } };
  const status = begun('fails');
  const only = { ...status, execution: { ...status.execution, plan: 'first' } };
  const plans = { first: { phases: [{ name: 'p', steps: [{ name: 's', tasks: ['a'] }] }] } };
  const told =
    look(only, {}, start, world, { ...messy, spec: { ...messy.spec, plans } }).status.execution?.warned ?? [];
  expect(told.length).toBeGreaterThan(10);
  expect(JSON.stringify(told).length).toBeLessThan(20_000);
});
