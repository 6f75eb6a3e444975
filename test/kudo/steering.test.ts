import { describe, expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import type { OperatorVersionSpec } from '../../src/kudo/resources/operator-version.ts';
import { demoPackage } from './demo-package.ts';
import { KudoStage } from './kudo-stage.ts';

const one = (name: string, ...tasks: string[]): NonNullable<OperatorVersionSpec['plans']>[string] => ({
  strategy: 'serial',
  phases: [{ name: 'main', strategy: 'serial', steps: [{ name, tasks }] }],
});

/** The demo package with plans that hang, fail, and write a note. */
const stubborn: OperatorVersionSpec = {
  ...demoPackage,
  parameters: [
    ...(demoPackage.parameters ?? []),
    { name: 'NOTE', default: 'none', trigger: 'note', forcePodRestart: false },
    { name: 'HANG', default: 'no', trigger: 'hang' },
  ],
  templates: {
    ...demoPackage.templates,
    'note.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-note\ndata:\n  note: "{{ .Params.NOTE }}"\n',
    'refused.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: Not_A_Name\n',
    'broken.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Params.NOPE }}\n',
  },
  tasks: [
    ...(demoPackage.tasks ?? []),
    { name: 'note', kind: 'Apply', spec: { resources: ['note.yaml'] } },
    { name: 'hang', kind: 'Dummy', spec: { done: false } },
    { name: 'refused', kind: 'Apply', spec: { resources: ['refused.yaml'] } },
    { name: 'broken', kind: 'Apply', spec: { resources: ['broken.yaml'] } },
  ],
  plans: {
    ...demoPackage.plans,
    note: one('note', 'note'),
    hang: one('hang', 'hang'),
    refused: one('refused', 'refused'),
    broken: one('broken', 'broken'),
  },
};

async function deployed(spec = {}): Promise<KudoStage> {
  const { stage } = await KudoStage.running(stubborn);
  await stage.install('one', spec);
  await stage.settled('one', 1);
  return stage;
}

const note = (stage: KudoStage): unknown =>
  (stage.find(kinds.configMaps, 'one-note')?.data as { note?: string } | undefined)?.note;

describe('a plan that does not end', () => {
  it('is cancelled by blanking its name, and another can run', async () => {
    await using stage = await deployed();
    await stage.trigger('one', 'hang');
    await stage.until('it runs, and is seen to run', () => stage.instance('one').status?.execution?.shown === true);
    expect(stage.instance('one').spec.planExecution).toMatchObject({ planName: 'hang', status: 'IN_PROGRESS' });
    await stage.edit('one', { planExecution: { planName: '' } });
    await stage.settled('one', 2);
    expect(stage.last('one')).toBe('hang CANCELED');
    expect(stage.instance('one').status?.planStatus?.hang?.status).toBe('FATAL_ERROR');
    await stage.trigger('one', 'note');
    await stage.settled('one', 3);
    expect(stage.last('one')).toBe('note COMPLETE');
  });

  it('makes a change wait visibly, and gives way to it after its limit', async () => {
    await using stage = await deployed({ planTimeoutSeconds: 120 });
    await stage.trigger('one', 'hang');
    await stage.until('it runs', () => stage.instance('one').status?.execution?.plan === 'hang');
    await stage.set('one', { NOTE: 'later' });
    await stage.until('the change waits', () => stage.condition('one', 'Waiting') === 'True PlanInProgress');
    expect(note(stage)).toBeUndefined();
    await stage.settled('one', 3);
    expect(stage.instance('one').status?.history?.map((past) => `${past.plan} ${past.outcome}`)).toEqual([
      'note COMPLETE',
      'hang SUPERSEDED',
      'deploy COMPLETE',
    ]);
    expect(note(stage)).toBe('later');
    expect(stage.condition('one', 'Waiting')).toBeUndefined();
  });

  it('is not cancelled by who takes back a letter that waits', async () => {
    await using stage = await deployed();
    await stage.trigger('one', 'hang');
    await stage.until('it is seen to run', () => stage.instance('one').status?.execution?.shown === true);
    await stage.trigger('one', 'note');
    await stage.until('the letter waits', () => stage.condition('one', 'Waiting') === 'True PlanInProgress');
    await stage.edit('one', { planExecution: null });
    await stage.until(
      'the box tells of the plan again',
      () => stage.instance('one').spec.planExecution?.planName === 'hang',
    );
    expect(stage.instance('one').status?.execution?.plan).toBe('hang');
    await stage.until('it is seen to', () => stage.instance('one').status?.execution?.shown === true);
    await stage.edit('one', { planExecution: null });
    await stage.settled('one', 2);
    expect(stage.last('one')).toBe('hang CANCELED');
  });

  it('is overridden at once by who says so, and keeps a letter that waits', async () => {
    await using stage = await deployed();
    await stage.trigger('one', 'hang');
    await stage.until('it runs', () => stage.instance('one').status?.execution?.plan === 'hang');
    await stage.trigger('one', 'note');
    await stage.until('the letter waits', () => stage.condition('one', 'Waiting') === 'True PlanInProgress');
    expect(stage.instance('one').spec.planExecution?.planName).toBe('note');
    await stage.edit('one', { planExecution: { override: true } });
    await stage.settled('one', 3);
    expect(stage.last('one')).toBe('note COMPLETE');
  });
});

describe('a plan that fails', () => {
  it('is tried again without end, gives way to a change, and says why', async () => {
    await using stage = await deployed();
    await stage.trigger('one', 'refused');
    const failing = () => stage.instance('one').status?.planStatus?.refused?.phases?.[0]?.steps?.[0];
    await stage.until('it fails', () => failing()?.status === 'ERROR');
    expect(failing()?.message).toMatch(
      /^A transient error when executing task refused.main.refused.refused. Will retry. /,
    );
    await stage.set('one', { NOTE: 'now' });
    await stage.settled('one', 3);
    expect(stage.last('one')).toBe('note COMPLETE');
  });

  it('fails for good after as many tries as it may', async () => {
    await using stage = await deployed({ retryLimit: 3 });
    await stage.trigger('one', 'refused');
    await stage.settled('one', 2);
    expect(stage.last('one')).toBe('refused FATAL_ERROR');
    expect(stage.instance('one').status?.history?.[0]?.message).toContain('given up: spec.retryLimit is 3');
    expect(stage.condition('one', 'Stalled')).toBe('True PlanInFatalError');
  });

  it('fails for good at once when its template is wrong, and the next change is admitted', async () => {
    await using stage = await deployed();
    await stage.trigger('one', 'broken');
    await stage.settled('one', 2);
    expect(stage.last('one')).toBe('broken FATAL_ERROR');
    expect(stage.instance('one').status?.planStatus?.broken?.phases?.[0]?.steps?.[0]?.message).toMatch(
      /^Error during execution: fatal error: default\/one failed in broken.main.broken.broken: error expanding template broken.yaml: .*NOPE/,
    );
    await stage.set('one', { NOTE: 'fine' });
    await stage.settled('one', 3);
    expect(stage.last('one')).toBe('note COMPLETE');
    expect(stage.condition('one', 'Stalled')).toBeUndefined();
  });
});

describe('a trigger', () => {
  it('without a uid runs as often as it is written', async () => {
    await using stage = await deployed();
    for (const executions of [2, 3]) {
      await stage.edit('one', { planExecution: { planName: 'note' } });
      await stage.settled('one', executions);
    }
    expect(stage.instance('one').status?.letter).toBeUndefined();
  });

  it('in the manifest of a new Instance is none', async () => {
    const { stage } = await KudoStage.running(stubborn);
    await using _ = stage;
    await stage.install('one', { planExecution: { planName: 'note', uid: 'of another time' } });
    await stage.settled('one', 1);
    await stage.clock.advance(5_000);
    expect(stage.instance('one').status?.executions).toBe(1);
    expect(stage.last('one')).toBe('deploy COMPLETE');
  });
});

describe('a restart that is demanded beside a trigger', () => {
  it('is owed until a plan applies what demanded it', async () => {
    await using stage = await deployed();
    const before = stage.podUids();
    await stage.set('one', { LEVEL: 'debug', NOTE: 'both' });
    await stage.settled('one', 2);
    expect(stage.last('one')).toBe('note COMPLETE');
    expect(stage.podUids()).toEqual(before);
    expect(stage.instance('one').status?.restart).toMatchObject({ plan: 'deploy', changed: ['LEVEL'] });
    await stage.set('one', { NODE_COUNT: '3' });
    await stage.settled('one', 3);
    expect(stage.podUids().filter((uid) => before.includes(uid))).toEqual([]);
    expect(stage.instance('one').status?.restart).toBeUndefined();
  });
});

describe('a change that cannot be accepted', () => {
  it('stays unapplied with a reason, keeps nobody from running a plan, and is taken when it is mended', async () => {
    await using stage = await deployed();
    await stage.set('one', { NOPE: 'x' });
    await stage.until('it is refused', () => stage.condition('one', 'Accepted') === 'False UnknownParameter');
    await stage.trigger('one', 'note');
    await stage.settled('one', 2);
    expect(stage.last('one')).toBe('note COMPLETE');
    expect(stage.condition('one', 'Accepted')).toBe('False UnknownParameter');
    await stage.set('one', { NOPE: null, NOTE: 'mended' });
    await stage.settled('one', 3);
    expect(note(stage)).toBe('mended');
    expect(stage.condition('one', 'Accepted')).toBe('True Accepted');
  });

  it('is a plan that does not exist: declined once, and no hindrance', async () => {
    await using stage = await deployed();
    await stage.trigger('one', 'nosuch');
    await stage.until('it is declined', () => stage.condition('one', 'Accepted') === 'False UnknownPlan');
    await stage.clock.advance(5_000);
    expect(stage.condition('one', 'Accepted')).toBe('False UnknownPlan');
    await stage.set('one', { NOTE: 'fine' });
    await stage.settled('one', 2);
    expect(stage.condition('one', 'Accepted')).toBe('True Accepted');
  });
});

describe('drift', () => {
  it('is reported', async () => {
    await using stage = await deployed();
    await stage.person.resource(kinds.configMaps).delete({ namespace: 'default', name: 'one-config' });
    await stage.until('it is seen', () => stage.condition('one', 'Drifted') === 'True ObjectsChanged');
    await stage.trigger('one', 'deploy', { restart: false });
    await stage.settled('one', 2);
    await stage.until('it is over', () => stage.condition('one', 'Drifted') === undefined);
    expect(stage.instance('one').status?.history?.[0]).toMatchObject({ forced: false });
  });

  it('is repaired if asked for, without a restart', async () => {
    await using stage = await deployed({ drift: 'repair' });
    const before = stage.podUids();
    const name = { namespace: 'default', name: 'one-config' };
    const body = { data: { 'app.conf': 'level=wrong' } };
    await stage.person.resource(kinds.configMaps).patch(name, { type: 'merge', body });
    await stage.settled('one', 2);
    expect(stage.instance('one').status?.history?.[0]).toMatchObject({ cause: 'repair', outcome: 'COMPLETE' });
    expect(stage.find(kinds.configMaps, 'one-config')?.data).toEqual({ 'app.conf': 'level=info' });
    expect(stage.podUids()).toEqual(before);
  });
});

describe('the way from a pod to its plan', () => {
  it('leads over ownerReferences to plan, phase and step', async () => {
    await using stage = await deployed();
    const [pod] = stage.pods();
    const owner = pod?.metadata.ownerReferences?.find(({ controller }) => controller);
    expect(owner?.kind).toBe('StatefulSet');
    const set = stage.find(kinds.statefulSets, owner?.name ?? '');
    const execution = stage.instance('one').status?.history?.[0];
    expect(set?.metadata.annotations).toMatchObject({
      'kudo.dev/plan': 'deploy',
      'kudo.dev/phase': 'nodes',
      'kudo.dev/step': 'nodes',
      'kudo.dev/last-plan-execution-uid': execution?.uid,
    });
    expect(set?.metadata.ownerReferences?.[0]).toMatchObject({ kind: 'Instance', name: 'one', controller: true });
  });
});
