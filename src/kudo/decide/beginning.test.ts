import { describe, expect, it } from 'vitest';
import type { Action } from '../../control/decision.ts';
import { outcomeId } from '../../control/outcome.ts';
import type { Execution, Instance } from '../resources/instance.ts';
import type { OperatorVersion, OperatorVersionSpec } from '../resources/operator-version.ts';
import { takeChange } from './change.ts';
import { foreseen } from './foreseen.ts';
import { decideInstance } from './instance.ts';
import type { InstanceView } from './view.ts';
import { workOf } from './work-of.ts';

const template =
  'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}\ndata:\n  mode: "{{ .Params.MODE }}"\n';
const apply = { phases: [{ name: 'p', steps: [{ name: 's', tasks: ['t'] }] }] };

const version = (name: string, plans: object): OperatorVersion =>
  ({
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'OperatorVersion',
    metadata: { name, namespace: 'default' },
    spec: {
      operator: { name: 'demo' },
      version: '1',
      parameters: [{ name: 'MODE', default: 'a' }],
      templates: { 'x.yaml': template },
      tasks: [{ name: 't', kind: 'Apply', spec: { resources: ['x.yaml'] } }],
      plans,
    } as unknown as OperatorVersionSpec,
  }) as OperatorVersion;

/** An Instance whose `MODE` was `a` and is to be `b`. */
function edited(wanted: OperatorVersion, accepted: OperatorVersion = wanted): InstanceView {
  const instance: Instance = {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name: 'one', namespace: 'default', uid: 'i-1', resourceVersion: '7', generation: 3 },
    spec: { operatorVersion: { name: wanted.metadata.name ?? '' }, parameters: { MODE: 'b' } },
    status: {
      accepted: { operatorVersion: { name: accepted.metadata.name ?? '' }, parameters: { MODE: 'a' } },
      executions: 1,
    },
  };
  return {
    instance,
    versions: { wanted, accepted },
    work: [],
    world: {},
    belongings: { applied: {}, workloads: [] },
    outcomes: {},
    now: Date.parse('2026-11-01T10:00:00Z'),
  };
}

/** The same, with what begins looked at ahead; nothing of it is there yet. */
function ahead(view: InstanceView): InstanceView {
  const change = takeChange(view, { ...identity, resourceVersion: '7' });
  const begins = foreseen(view, change);
  const { status } = begins?.instance ?? {};
  const of = begins?.versions.accepted;
  if (!status?.execution || !of) return expect.fail('nothing begins');
  const execution: Execution = status.execution;
  const work = workOf({ instance: view.instance, status: { ...status, execution }, version: of, waiterImage: 'w' });
  return { ...view, change, work, world: { 'v1 ConfigMap one': { is: 'known', namespaced: true, watched: true } } };
}

const identity = { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', namespace: 'default', name: 'one', uid: 'i-1' };
const words = (actions: readonly Action[]): readonly string[] =>
  actions.map((action) => (action.do === 'event' ? action.reason : action.do));

describe('a plan that begins', () => {
  it('sends in the turn that writes it down what was looked at ahead, after that', () => {
    const { actions } = decideInstance(ahead(edited(version('v', { deploy: apply }))));
    expect(words(actions)).toEqual(['status', 'PlanStarted', 'apply']);
    const [status, , sent] = actions;
    const { execution } = (status?.do === 'status' ? status.status : {}) as { execution?: Execution };
    expect(execution).toMatchObject({ plan: 'deploy', changed: ['MODE'] });
    expect(JSON.stringify(sent)).toContain(execution?.uid);
    expect(sent).toMatchObject({ object: { data: { mode: 'b' } } });
  });

  it('is written down alone if nothing was looked at', () => {
    expect(words(decideInstance(edited(version('v', { deploy: apply }))).actions)).toEqual(['status', 'PlanStarted']);
  });

  it('does not end before it was seen to run', () => {
    const { actions } = decideInstance(ahead(edited(version('v', { deploy: { phases: [] } }))));
    expect(words(actions)).toEqual(['status', 'PlanStarted']);
    expect(actions[0]).toMatchObject({ status: { execution: { plan: 'deploy' } } });
  });

  it('waits for what an Instance needs before its plans run', () => {
    const { actions } = decideInstance(ahead(edited(version('v', { deploy: apply, cleanup: apply }))));
    expect(words(actions)).toEqual(['status', 'PlanStarted']);
  });

  it('is of the version that it upgrades to', () => {
    const view = edited(version('new', { deploy: apply }), version('old', { deploy: { phases: [] } }));
    const { actions } = decideInstance(ahead(view));
    expect(words(actions)).toEqual(['status', 'PlanStarted', 'apply']);
    expect(actions[0]).toMatchObject({ status: { accepted: { operatorVersion: { name: 'new' } } } });
  });
});

it('what could not be prepared is tried again once the status has told of it: both at once would not fit', () => {
  const after = (view: InstanceView): InstanceView => {
    const [journal] = decideInstance(view).actions;
    const status = journal?.do === 'status' ? journal.status : expect.fail('no status was written');
    return { ...view, instance: { ...view.instance, status: status as NonNullable<Instance['status']> } };
  };
  const begun = after(edited(version('v', { deploy: apply, cleanup: apply })));
  const [hold] = decideInstance(begun).actions;
  const id = hold?.do === 'patch' ? outcomeId(hold) : expect.fail('no finalizer was added');
  const failure = { result: 'unavailable', at: begun.now, since: begun.now, of: '', message: 'no answer' } as const;
  const failed = { ...begun, outcomes: { [id]: failure } };
  expect(words(decideInstance(failed).actions)).toEqual(['status']);
  expect(words(decideInstance(after(failed)).actions)).toEqual(['patch']);
});
