import { describe, expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import { cleanupFinalizer } from '../../src/kudo/keys.ts';
import { instance } from '../../src/kudo/resources/instance.ts';
import type { OperatorVersionSpec } from '../../src/kudo/resources/operator-version.ts';
import { KudoStage } from './kudo-stage.ts';

const plan = (...names: string[]): NonNullable<OperatorVersionSpec['plans']>[string] => ({
  strategy: 'serial',
  phases: [{ name: 'main', strategy: 'serial', steps: names.map((name) => ({ name, tasks: [name] })) }],
});

const config = (name: string, more = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-${name}\n${more}data:\n  text: "{{ .Params.TEXT }}"\n`;

/** A package whose cleanup does these tasks. */
const leaving = (...cleanup: string[]): OperatorVersionSpec => ({
  parameters: [{ name: 'TEXT', default: 'a' }],
  templates: {
    'main.yaml': config('main'),
    'trace.yaml': config('trace'),
    'role.yaml':
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: {{ .Name }}-{{ .Namespace }}\nrules: []\n',
  },
  tasks: [
    { name: 'main', kind: 'Apply', spec: { resources: ['main.yaml', 'role.yaml'] } },
    { name: 'trace', kind: 'Apply', spec: { resources: ['trace.yaml'] } },
    { name: 'remove', kind: 'Delete', spec: { resources: ['main.yaml', 'role.yaml'] } },
    { name: 'hang', kind: 'Dummy', spec: { done: false } },
    { name: 'refuse', kind: 'Dummy', spec: { wantErr: true, fatal: true } },
  ],
  plans: { deploy: plan('main'), hang: plan('hang'), cleanup: plan(...cleanup) },
});

async function deployed(...cleanup: string[]): Promise<KudoStage> {
  const { stage } = await KudoStage.running(leaving(...cleanup));
  await stage.install('one');
  await stage.settled('one', 1);
  return stage;
}

const isGone = (stage: KudoStage): boolean => stage.find(instance.type, 'one') === undefined;
const has = (stage: KudoStage, name: string): boolean => stage.find(kinds.configMaps, name) !== undefined;
const role = (stage: KudoStage) => stage.embedded.world.get(kinds.clusterRoles, undefined, 'one-default');
const cleanup = (stage: KudoStage) => stage.instance('one').status?.planStatus?.cleanup;

function events(stage: KudoStage): readonly string[] {
  return stage.embedded.world
    .list(kinds.events, { namespace: 'default' })
    .map(({ reason, note }) => `${reason}: ${note}`);
}

describe('the plan cleanup', () => {
  it('runs before an Instance goes, and what belongs to nobody goes with it', async () => {
    await using stage = await deployed('remove');
    expect(stage.instance('one').metadata.finalizers).toEqual([cleanupFinalizer]);
    expect(role(stage)?.metadata.ownerReferences).toBeUndefined();
    await stage.remove('one');
    await stage.until('it is gone', () => isGone(stage) && !has(stage, 'one-main'));
    expect(role(stage)).toBeUndefined();
    expect(events(stage)).toContain('PlanStarted: Execution of plan cleanup started');
  });

  it('takes the place of a plan that runs', async () => {
    await using stage = await deployed('remove', 'hang');
    await stage.trigger('one', 'hang');
    await stage.until('it runs', () => stage.instance('one').status?.execution?.plan === 'hang');
    await stage.remove('one');
    await stage.until('cleanup is shown', () => stage.instance('one').spec.planExecution?.planName === 'cleanup');
    await stage.until('what is to go is gone', () => !has(stage, 'one-main'));
    expect(stage.last('one')).toBe('hang SUPERSEDED');
    expect(cleanup(stage)?.phases?.[0]?.steps).toEqual([
      { name: 'remove', status: 'COMPLETE' },
      { name: 'hang', status: 'IN_PROGRESS' },
    ]);
  });

  it('that does not end keeps the Instance, whatever is written there, until somebody removes the finalizer', async () => {
    await using stage = await deployed('hang');
    await stage.remove('one');
    await stage.until('it is shown', () => stage.instance('one').spec.planExecution?.planName === 'cleanup');
    const { uid } = stage.instance('one').status?.execution ?? {};
    await stage.set('one', { TEXT: 'b' });
    await stage.until('that is refused', () => stage.condition('one', 'Accepted') === 'False ChangedWhileDeleted');
    await stage.set('one', { TEXT: null });
    await stage.until('that was taken back', () => stage.condition('one', 'Accepted') === 'True Accepted');
    await stage.trigger('one', 'deploy');
    await stage.until('it is told', () => events(stage).some((event) => event.startsWith('CleanupIsFinal: ')));
    await stage.until('it is shown again', () => stage.instance('one').spec.planExecution?.planName === 'cleanup');
    await stage.edit('one', { planExecution: { planName: '' } });
    await stage.until('it is shown again', () => stage.instance('one').spec.planExecution?.planName === 'cleanup');
    await stage.clock.advance(5_000);
    expect(stage.instance('one').status?.execution).toMatchObject({ uid, plan: 'cleanup' });
    expect(stage.find(kinds.configMaps, 'one-main')?.data).toEqual({ text: 'a' });
    await stage.person
      .resource(instance.type)
      .patch({ namespace: 'default', name: 'one' }, { type: 'merge', body: { metadata: { finalizers: null } } });
    await stage.until('it is gone', () => isGone(stage) && !has(stage, 'one-main'));
    // Nobody cleaned up what belongs to nobody.
    expect(role(stage)).toBeDefined();
  });

  it('that fails keeps the Instance, costs nothing while it stands, and is run again on demand', async () => {
    await using stage = await deployed('trace', 'refuse');
    await stage.remove('one');
    await stage.until('it failed', () => cleanup(stage)?.status === 'FATAL_ERROR');
    await stage.clock.advance(2_000);
    expect(stage.last('one')).toBe('cleanup FATAL_ERROR');
    expect(has(stage, 'one-trace')).toBe(true);
    expect(stage.instance('one').metadata.finalizers).toEqual([cleanupFinalizer]);
    expect(stage.condition('one', 'Stalled')).toBe('True PlanInFatalError');
    const writes = stage.writes.length;
    await stage.clock.advance(3_600_000);
    expect(stage.writes.slice(writes)).toEqual([]);
    await stage.trigger('one', 'deploy');
    await stage.until('no other plan runs', () => stage.condition('one', 'Accepted') === 'False PlanWhileDeleted');
    await stage.set('one', { TEXT: 'b' });
    await stage.until('nothing changes', () => stage.condition('one', 'Accepted') === 'False ChangedWhileDeleted');
    await stage.set('one', { TEXT: null });
    const { executions } = stage.instance('one').status ?? {};
    await stage.trigger('one', 'cleanup');
    await stage.until('it ran again', () => stage.instance('one').status?.executions === (executions ?? 0) + 1);
    await stage.until('it failed again', () => stage.instance('one').status?.execution === undefined);
    expect(stage.last('one')).toBe('cleanup FATAL_ERROR');
  });

  it('is not run by a person while the Instance lives', async () => {
    await using stage = await deployed('remove');
    await stage.trigger('one', 'cleanup');
    await stage.until('it is refused', () => stage.condition('one', 'Accepted') === 'False CleanupByUser');
    expect(has(stage, 'one-main')).toBe(true);
  });
});
