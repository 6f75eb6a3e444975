import { describe, expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import { instance } from '../../src/kudo/resources/instance.ts';
import type { OperatorVersionSpec, Plan } from '../../src/kudo/resources/operator-version.ts';
import type { OperatorProcess } from '../stage/operator-process.ts';
import { KudoStage } from './kudo-stage.ts';

const configMap = (name: string, value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: '{{ .Name }}-${name}' }\ndata: { value: '${value}' }\n`;

const plan = (...tasks: readonly string[]): Plan => ({
  strategy: 'serial',
  phases: [{ name: 'main', strategy: 'serial', steps: tasks.map((name) => ({ name, tasks: [name] })) }],
});

const apply = (name: string) => ({ name, kind: 'Apply', spec: { resources: [`${name}.yaml`] } });

/** Small and quick: two ConfigMaps, a plan that hangs, a cleanup that leaves a trace, and a random key. */
const small: OperatorVersionSpec = {
  parameters: [
    { name: 'VALUE', default: 'a' },
    { name: 'FIXED', default: 'for-ever', immutable: true },
  ],
  templates: {
    'first.yaml': configMap('first', '{{ .Params.VALUE }}'),
    'second.yaml': configMap('second', '{{ .Params.FIXED }} {{ randAlphaNum 8 }}'),
    'farewell.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: farewell, namespace: default }\n`,
  },
  tasks: [
    apply('first'),
    apply('second'),
    apply('farewell'),
    { name: 'remove', kind: 'Delete', spec: { resources: ['first.yaml'] } },
    { name: 'hang', kind: 'Dummy', spec: { done: false } },
  ],
  plans: {
    deploy: plan('first', 'second'),
    hang: plan('hang'),
    again: plan('first'),
    cleanup: plan('farewell', 'remove'),
  },
};

const parent: OperatorVersionSpec = {
  templates: { 'child.yaml': 'VALUE: "from its parent"\n', 'first.yaml': configMap('first', 'of the parent') },
  tasks: [
    {
      name: 'child',
      kind: 'KudoOperator',
      spec: { package: 'demo', operatorVersion: '0.1.0', instanceName: 'child', parameterFile: 'child.yaml' },
    },
    apply('first'),
  ],
  plans: { deploy: plan('child', 'first') },
};

interface Scenario {
  /** Before anybody dies. */
  readonly before?: (stage: KudoStage) => Promise<void>;
  readonly act: (stage: KudoStage) => Promise<void>;
  readonly isDone: (stage: KudoStage) => boolean;
}

const ended = (stage: KudoStage, executions: number, name = 'one'): boolean => {
  const { status, spec } = stage.instance(name);
  return status?.executions === executions && !status.execution && !spec.planExecution?.planName;
};
const installed = async (stage: KudoStage): Promise<void> => {
  await stage.install('one', { drift: 'repair' });
  await stage.settled('one', 1);
};
const hanging = async (stage: KudoStage): Promise<void> => {
  await installed(stage);
  await stage.trigger('one', 'hang');
  await stage.until('it hangs', () => stage.instance('one').status?.execution?.shown === true);
};

const scenarios: Readonly<Record<string, Scenario>> = {
  'an installation': { act: (stage) => stage.install('one'), isDone: (stage) => ended(stage, 1) },
  'an upgrade': {
    before: async (stage) => {
      await installed(stage);
      const templates = { ...small.templates, 'second.yaml': configMap('second', 'new') };
      await stage.version('demo-0.2.0', { ...small, version: '0.2.0', templates });
    },
    act: (stage) => stage.edit('one', { operatorVersion: { name: 'demo-0.2.0' } }),
    isDone: (stage) => ended(stage, 2),
  },
  'a deletion with its cleanup': {
    before: installed,
    act: (stage) => stage.remove('one'),
    isDone: (stage) => !stage.find(instance.type, 'one') && !stage.find(kinds.configMaps, 'one-second'),
  },
  'a deletion for which its random key has gone first': {
    before: async (stage) => {
      await installed(stage);
      await stage.person.resource(kinds.secrets).delete({ namespace: 'default', name: 'one.kudo-random' });
    },
    act: async (stage) => {
      const options = { propagationPolicy: 'Foreground' } as const;
      await stage.person.resource(instance.type).delete({ namespace: 'default', name: 'one' }, options);
    },
    isDone: (stage) => !stage.find(instance.type, 'one'),
  },
  'a cancelled plan': {
    before: hanging,
    act: (stage) => stage.edit('one', { planExecution: { planName: '' } }),
    isDone: (stage) => ended(stage, 2),
  },
  'an overridden plan': {
    before: hanging,
    act: (stage) => stage.trigger('one', 'again', { override: true }),
    isDone: (stage) => ended(stage, 3),
  },
  'a child with a plan of its own': {
    before: (stage) => stage.version('parent-0.1.0', parent),
    act: (stage) => stage.install('one', { operatorVersion: { name: 'parent-0.1.0' } }),
    isDone: (stage) => ended(stage, 1) && ended(stage, 1, 'child'),
  },
  'a repair of what somebody deleted': {
    before: installed,
    act: async (stage) => {
      await stage.person.resource(kinds.configMaps).delete({ namespace: 'default', name: 'one-second' });
    },
    isDone: (stage) => ended(stage, 2),
  },
};

/** What is there in the end, without times and versions. */
function portrait(stage: KudoStage): object {
  const configMaps = stage.embedded.world
    .list<AnyObject>(kinds.configMaps, { namespace: 'default' })
    .filter(({ metadata }) => metadata.labels?.heritage === 'kudo')
    .map(({ metadata: { name, annotations = {}, ownerReferences = [] }, data }) => ({
      name,
      data: name === 'one-second' ? (data as { value?: string }).value?.split(' ')[0] : data,
      plan: annotations['kudo.dev/plan'],
      owners: ownerReferences.map((owner) => `${owner.kind} ${owner.name}`),
    }));
  const instances = stage.embedded.world
    .list<AnyObject>(instance.type)
    .map(({ metadata: { name } }) => stage.instance(name ?? ''))
    .map(({ metadata: { name, finalizers = [] }, spec, status }) => ({
      name,
      finalizers,
      // A plan that is quick may have ended before anybody could be told of it there.
      spec: { ...spec, planExecution: spec.planExecution?.planName ?? '' },
      accepted: status?.accepted,
      executions: status?.executions,
      history: status?.history?.map((past) => [past.plan, past.cause, past.forced, past.outcome, past.message]),
      plans: Object.values(status?.planStatus ?? {}).map((one) => [one.name, one.status]),
      conditions: status?.conditions?.map((one) => [one.type, one.status, one.reason]).sort(),
      objects: status?.objects?.map((one) => one.name).sort(),
      restart: status?.restart,
    }));
  return { configMaps, instances };
}

async function run({ before, act, isDone }: Scenario, deathAt: number): Promise<{ end: object; writes: number }> {
  const stage = await KudoStage.open();
  await using _ = stage;
  const operator: OperatorProcess = stage.start();
  await stage.version('demo-0.1.0', small);
  await before?.(stage);
  await stage.clock.advance(2_000);
  const from = stage.writes.length;
  if (Number.isFinite(deathAt)) operator.dieAt(deathAt);
  await act(stage);
  if (Number.isFinite(deathAt)) {
    await stage.until('it dies', () => operator.dead);
    stage.start();
  }
  await stage.until('it is done', () => isDone(stage));
  await stage.clock.advance(5_000);
  return { end: portrait(stage), writes: stage.writes.length - from };
}

describe('whichever write the operator dies of', () => {
  it.each(Object.entries(scenarios))('%s ends as if it had lived', async (_, scenario) => {
    const calm = await run(scenario, Number.POSITIVE_INFINITY);
    expect(calm.writes).toBeGreaterThan(1);
    for (let death = 1; death <= calm.writes; death++) {
      const { end } = await run(scenario, death);
      expect({ death, ...end }).toEqual({ death, ...calm.end });
    }
  });
});
