import { describe, expect, it } from 'vitest';
import { kinds } from '../../../src/kube/kinds.ts';
import type { OperatorVersionSpec } from '../../../src/kudo/resources/operator-version.ts';
import type { Plan } from '../../../src/portrait/plan.ts';
import { demoPackage } from '../demo-package.ts';
import { KudoStage, object } from '../kudo-stage.ts';
import { aroundOf, instances, objectOf } from './around-of.ts';

/** What an edit of the spec would do. A parameter that is null goes. */
function planned(stage: KudoStage, name: string, spec: Readonly<Record<string, unknown>>): Plan {
  const before = objectOf(stage, name);
  const { parameters, ...rest } = spec as { parameters?: Record<string, string> };
  const was = before.spec as { readonly parameters?: Record<string, string> };
  const after = {
    ...before,
    spec: { ...was, ...rest, ...(parameters && { parameters: { ...was.parameters, ...parameters } }) },
  };
  return instances().plan({ before, after }, aroundOf(stage));
}

async function deployed(spec: OperatorVersionSpec = demoPackage, parameters = {}): Promise<KudoStage> {
  const { stage } = await KudoStage.running(spec);
  await stage.install('one', { parameters });
  await stage.settled('one', 1);
  return stage;
}

const podsByName = (stage: KudoStage): Readonly<Record<string, string>> =>
  Object.fromEntries(stage.pods().map(({ metadata }) => [metadata.name ?? '', metadata.uid ?? '']));

/** Names of pods that are others now. */
function replaced(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.keys(before)
    .filter((name) => before[name] !== after[name])
    .sort();
}

describe('what is promised', () => {
  const edits: readonly (readonly [string, Readonly<Record<string, string>>, Plan['risk']])[] = [
    ['a quiet parameter', { NODE_COUNT: '3' }, 'quiet'],
    ['one in the pod template', { MODE: 'fancy' }, 'restart'],
    ['one that only a ConfigMap has', { LEVEL: 'debug' }, 'restart'],
    ['a quiet one and another', { NODE_COUNT: '3', LEVEL: 'debug' }, 'restart'],
  ];

  it.each(edits)('is what happens: %s', async (_what, parameters, risk) => {
    await using stage = await deployed();
    const before = podsByName(stage);
    const plan = planned(stage, 'one', { parameters });
    expect(plan.risk).toBe(risk);
    await stage.set('one', parameters);
    await stage.settled('one', 2);
    expect(replaced(before, podsByName(stage))).toEqual(plan.restarts.flatMap(({ pods }) => pods));
  });

  it('is what happens where only changed dependencies restart pods', async () => {
    await using stage = await deployed({ ...demoPackage, restartPolicy: 'onDependencyChange' });
    const steps = [
      { edit: { parameters: { LEVEL: 'debug' } }, risk: 'restart' },
      { edit: { parameters: { NODE_COUNT: '3' } }, risk: 'quiet' },
      { edit: { planExecution: { planName: 'deploy', uid: 'by hand' } }, risk: 'quiet' },
    ] as const;
    for (const [index, { edit, risk }] of steps.entries()) {
      const before = podsByName(stage);
      const plan = planned(stage, 'one', edit);
      expect(plan.risk).toBe(risk);
      await stage.edit('one', edit);
      await stage.settled('one', index + 2);
      expect(replaced(before, podsByName(stage))).toEqual(plan.restarts.flatMap(({ pods }) => pods));
    }
  });

  it('counts a restart in that is owed from before', async () => {
    const noted = withNote(demoPackage);
    await using stage = await deployed(noted);
    await stage.set('one', { LEVEL: 'debug', NOTE: 'both' });
    await stage.settled('one', 2);
    expect(stage.instance('one').status?.restart).toBeDefined();
    expect(instances().summarize(objectOf(stage, 'one'))).toMatchObject({
      phase: 'waiting',
      needsYou: expect.stringContaining('A restart is pending because LEVEL changed'),
    });
    const before = podsByName(stage);
    const plan = planned(stage, 'one', { parameters: { NODE_COUNT: '3' } });
    expect(plan.risk).toBe('restart');
    await stage.set('one', { NODE_COUNT: '3' });
    await stage.settled('one', 3);
    expect(replaced(before, podsByName(stage))).toEqual(plan.restarts.flatMap(({ pods }) => pods));
  });

  it('counts in what somebody edited by hand', async () => {
    await using stage = await deployed();
    const body = {
      spec: {
        template: { spec: { terminationGracePeriodSeconds: 5, containers: [{ name: 'main', image: 'app:2' }] } },
      },
    };
    await stage.person
      .resource(kinds.statefulSets)
      .patch({ namespace: 'default', name: 'one-node' }, { type: 'strategic', body });
    await stage.until('it has rolled', () => stage.condition('one', 'Drifted') !== undefined);
    await stage.clock.advance(20_000);
    const before = podsByName(stage);
    const plan = planned(stage, 'one', { parameters: { NODE_COUNT: '3' } });
    expect(plan).toMatchObject({
      risk: 'restart',
      restarts: [{ because: expect.stringContaining('pod template changes') }],
    });
    await stage.set('one', { NODE_COUNT: '3' });
    await stage.settled('one', 2);
    expect(replaced(before, podsByName(stage))).toEqual(plan.restarts.flatMap(({ pods }) => pods));
  });
});

describe('a plan', () => {
  it('names what is made of a new Instance', async () => {
    const { stage } = await KudoStage.running(demoPackage);
    await using _ = stage;
    const after = object('Instance', 'one', { operatorVersion: { name: 'demo-0.1.0' } }) as never;
    const plan = instances().plan({ after }, aroundOf(stage));
    expect(plan).toMatchObject({
      risk: 'quiet',
      line: 'plan deploy runs: it creates 3 objects',
      restarts: [],
      problems: [],
    });
    expect(plan.steps.map(({ symbol, what }) => `${symbol} ${what}`)).toEqual([
      '+ ConfigMap one-config',
      '+ Service one',
      '+ StatefulSet one-node',
    ]);
    expect(plan.extra).toBe('2 pods more from then on');
  });

  it('tells what each field demands, what changes where, and how long it took before', async () => {
    await using stage = await deployed();
    const plan = planned(stage, 'one', { parameters: { LEVEL: 'debug', NODE_COUNT: '3' } });
    expect(plan.changes).toEqual([
      { path: 'spec.parameters.LEVEL', from: 'info (default)', to: 'debug', demands: 'restart' },
      { path: 'spec.parameters.NODE_COUNT', from: '2 (default)', to: '3', demands: 'no restart' },
    ]);
    expect(plan.steps.map(({ symbol, what }) => `${symbol} ${what}`)).toEqual([
      '~ ConfigMap one-config',
      '~ StatefulSet one-node',
      '+ pod one-node-2',
      '↻ pods of StatefulSet one-node',
    ]);
    expect(plan.availability).toEqual({
      serves: 'reduced',
      sentence: '2 pods of StatefulSet one-node restart one after the other',
    });
    expect(plan.estimate?.basis).toMatch(/^the last run of plan deploy with a restart took \d+s$/);
    expect(plan.undo).toEqual({
      possible: true,
      sentence:
        'set LEVEL to info (default) and NODE_COUNT to 2 (default) again: a plan runs, and pods restart once more',
    });
  });

  it('says which pods go when there are to be fewer', async () => {
    await using stage = await deployed(demoPackage, { NODE_COUNT: '4' });
    const plan = planned(stage, 'one', { parameters: { NODE_COUNT: '2' } });
    expect(plan).toMatchObject({
      risk: 'quiet',
      restarts: [],
      line: 'plan deploy runs: it changes 1 object; 2 of 4 pods of StatefulSet one-node go; no pod restarts',
      availability: { serves: 'reduced' },
    });
    expect(plan.steps.map(({ symbol, what }) => `${symbol} ${what}`)).toContain('- pods one-node-2 and one-node-3');
    await stage.set('one', { NODE_COUNT: '2' });
    await stage.settled('one', 2);
    await stage.until('they are gone', () => stage.pods().length === 2);
    expect(Object.keys(podsByName(stage)).sort()).toEqual(['one-node-0', 'one-node-1']);
  });

  it('is a disruption when the only pod restarts, or the last one goes', async () => {
    await using stage = await deployed(demoPackage, { NODE_COUNT: '1' });
    expect(planned(stage, 'one', { parameters: { LEVEL: 'debug' } })).toMatchObject({
      risk: 'disruption',
      availability: { serves: 'interrupted' },
      line: 'plan deploy runs: it changes 2 objects; pods of StatefulSet one-node restart, and do not serve meanwhile',
    });
    expect(planned(stage, 'one', { parameters: { NODE_COUNT: '0' } })).toMatchObject({
      risk: 'disruption',
      availability: { sentence: 'StatefulSet one-node is left without pods' },
    });
  });

  it('is refused with the reasons of the operator', async () => {
    await using stage = await deployed();
    const problem = (spec: Readonly<Record<string, unknown>>) => planned(stage, 'one', spec).problems[0];
    expect(problem({ parameters: { NOBODY: 'knows' } })).toMatchObject({
      field: 'spec.parameters',
      rule: 'UnknownParameter',
    });
    expect(problem({ operatorVersion: { name: 'gone' } })).toMatchObject({
      field: 'spec.operatorVersion',
      rule: 'OperatorVersionNotFound',
    });
    expect(problem({ planExecution: { planName: 'nosuch', uid: 'x' } })).toMatchObject({
      field: 'spec.planExecution.planName',
      rule: 'UnknownPlan',
    });
  });

  it('warns of a template that these values break, and of a Job that cannot be changed', async () => {
    const job =
      'apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: {{ .Name }}-job\nspec:\n  template:\n    spec:\n      restartPolicy: Never\n      containers:\n      - name: main\n        image: "job:{{ .Params.LEVEL }}"\n';
    const fragile = '{{ if eq .Params.MODE "odd" }}{{ fail "no" }}{{ end }}\n';
    const deploy = demoPackage.plans?.deploy;
    await using stage = await deployed({
      ...demoPackage,
      templates: { ...demoPackage.templates, 'job.yaml': job, 'fragile.yaml': fragile },
      tasks: [
        ...(demoPackage.tasks ?? []),
        { name: 'job', kind: 'Apply', spec: { resources: ['job.yaml', 'fragile.yaml'] } },
      ],
      plans: {
        deploy: {
          ...deploy,
          phases: [...(deploy?.phases ?? []), { name: 'job', steps: [{ name: 'job', tasks: ['job'] }] }],
        },
      },
    });
    const warnings = (parameters: Readonly<Record<string, string>>) => planned(stage, 'one', { parameters }).warnings;
    expect(warnings({ NODE_COUNT: '3' })).toEqual([]);
    expect(warnings({ MODE: 'odd' })).toEqual([
      'plan deploy will fail at job/job: fragile.yaml, line 1 cannot be rendered with these values',
    ]);
    expect(warnings({ LEVEL: 'debug' })).toEqual([expect.stringContaining('its pod template cannot be changed')]);
    await stage.set('one', { LEVEL: 'debug' });
    await stage.settled('one', 2);
    expect(stage.last('one')).toBe('deploy FATAL_ERROR');
  });

  it('is none when nothing differs, and quiet for what no plan is run for', async () => {
    await using stage = await deployed();
    expect(planned(stage, 'one', {})).toMatchObject({ risk: 'none', line: 'nothing changes' });
    expect(planned(stage, 'one', { drift: 'repair' })).toMatchObject({
      risk: 'quiet',
      changes: [{ path: 'spec.drift', to: 'repair', demands: 'setting' }],
      steps: [],
    });
  });

  it('foresees a trigger and an upgrade', async () => {
    await using stage = await deployed();
    expect(planned(stage, 'one', { planExecution: { planName: 'deploy', uid: 'x' } })).toMatchObject({
      risk: 'restart',
      restarts: [{ name: 'one-node', pods: ['one-node-0', 'one-node-1'] }],
    });
    expect(planned(stage, 'one', { planExecution: { planName: 'deploy', uid: 'x', restart: false } }).risk).toBe(
      'quiet',
    );
    const nodes = demoPackage.templates?.['nodes.yaml']?.replace('app:1', 'app:2') ?? '';
    await stage.version('demo-0.2.0', { ...demoPackage, templates: { ...demoPackage.templates, 'nodes.yaml': nodes } });
    const plan = planned(stage, 'one', { operatorVersion: { name: 'demo-0.2.0' } });
    expect(plan).toMatchObject({
      risk: 'restart',
      changes: [{ path: 'spec.operatorVersion', from: 'demo-0.1.0', to: 'demo-0.2.0', demands: 'upgrade' }],
      undo: { possible: true, sentence: expect.stringContaining('name demo-0.1.0 again') },
    });
    const before = podsByName(stage);
    await stage.edit('one', { operatorVersion: { name: 'demo-0.2.0' } });
    await stage.settled('one', 2);
    expect(replaced(before, podsByName(stage))).toEqual(plan.restarts.flatMap(({ pods }) => pods));
  });

  it('waits for a plan that runs, ends one, and does nothing while it is paused', async () => {
    await using stage = await deployed(withNote(demoPackage));
    await stage.trigger('one', 'hang');
    await stage.until('it runs', () => stage.instance('one').status?.execution?.shown === true);
    expect(planned(stage, 'one', { parameters: { LEVEL: 'debug' } })).toMatchObject({
      risk: 'restart',
      waitsFor: expect.stringContaining("waits until plan 'hang' has ended"),
      line: expect.stringContaining('plan deploy runs when the one that runs now has ended'),
    });
    expect(planned(stage, 'one', { planExecution: { planName: '' } })).toMatchObject({
      risk: 'quiet',
      line: expect.stringContaining('plan hang is cancelled'),
    });
    const before = objectOf(stage, 'one');
    const metadata = { ...before.metadata, annotations: { 'cutover.dev/paused': 'true' } };
    const after = { ...before, metadata, spec: { ...(before.spec as object), parameters: { LEVEL: 'debug' } } };
    expect(instances().plan({ before, after }, aroundOf(stage)).waitsFor).toContain('cutover.dev/paused');
  });

  it('says what is deleted, and that its volumes go with it', async () => {
    const claim =
      'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: {{ .Name }}-data\nspec:\n  accessModes: [ReadWriteOnce]\n  resources:\n    requests:\n      storage: 1Gi\n';
    await using stage = await deployed({
      ...demoPackage,
      parameters: [...(demoPackage.parameters ?? []), { name: 'DATA', default: 'true' }],
      templates: { ...demoPackage.templates, 'claim.yaml': claim },
      tasks: [
        ...(demoPackage.tasks ?? []).map((task) => (task.name === 'config' ? { ...task, name: 'config' } : task)),
        { name: 'claim', kind: 'Toggle', spec: { parameter: 'DATA', resources: ['claim.yaml'] } },
      ],
      plans: {
        ...demoPackage.plans,
        deploy: {
          strategy: 'serial',
          phases: [{ name: 'all', strategy: 'serial', steps: [{ name: 'all', tasks: ['config', 'claim'] }] }],
        },
      },
    });
    expect(planned(stage, 'one', { parameters: { DATA: 'false' } })).toMatchObject({
      risk: 'disruption',
      state: { outcome: 'dropped', sentence: expect.stringContaining('PersistentVolumeClaim one-data') },
      line: expect.stringContaining('deletes PersistentVolumeClaim one-data'),
    });
  });

  it('looks into the child Instances of a package', async () => {
    const { stage } = await KudoStage.running(demoPackage);
    await using _ = stage;
    await stage.version('parent-1.0.0', {
      operator: { name: 'parent' },
      version: '1.0.0',
      parameters: [{ name: 'LEVEL', default: 'info' }],
      templates: { 'child.yaml': 'LEVEL: "{{ .Params.LEVEL }}"\n' },
      tasks: [
        {
          name: 'demo',
          kind: 'KudoOperator',
          spec: { package: 'demo', operatorVersion: '0.1.0', instanceName: 'kid', parameterFile: 'child.yaml' },
        },
      ],
      plans: {
        deploy: {
          strategy: 'serial',
          phases: [{ name: 'main', strategy: 'serial', steps: [{ name: 'demo', tasks: ['demo'] }] }],
        },
      },
    });
    await stage.install('top', { operatorVersion: { name: 'parent-1.0.0' } });
    await stage.settled('top', 1);
    expect(instances().summarize(objectOf(stage, 'kid')).partOf).toEqual({ kind: 'Instance', name: 'top' });
    const before = podsByName(stage);
    const plan = planned(stage, 'top', { parameters: { LEVEL: 'debug' } });
    expect(plan).toMatchObject({ risk: 'restart', restarts: [{ kind: 'StatefulSet', name: 'kid-node' }] });
    await stage.set('top', { LEVEL: 'debug' });
    await stage.settled('top', 2);
    expect(replaced(before, podsByName(stage))).toEqual(plan.restarts.flatMap(({ pods }) => pods));
  });
});

/** With a parameter that runs a plan of its own, and a plan that never ends. */
function withNote(spec: OperatorVersionSpec): OperatorVersionSpec {
  const note =
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-note\ndata:\n  note: "{{ .Params.NOTE }}"\n';
  const one = (task: string) => ({
    strategy: 'serial',
    phases: [{ name: 'main', steps: [{ name: task, tasks: [task] }] }],
  });
  return {
    ...spec,
    parameters: [
      ...(spec.parameters ?? []),
      { name: 'NOTE', default: 'none', trigger: 'note', forcePodRestart: false },
    ],
    templates: { ...spec.templates, 'note.yaml': note },
    tasks: [
      ...(spec.tasks ?? []),
      { name: 'note', kind: 'Apply', spec: { resources: ['note.yaml'] } },
      { name: 'hang', kind: 'Dummy', spec: { done: false } },
    ],
    plans: { ...spec.plans, note: one('note'), hang: one('hang') },
  };
}
