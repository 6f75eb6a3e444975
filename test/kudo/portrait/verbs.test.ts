import { describe, expect, it } from 'vitest';
import type { OperatorVersionSpec } from '../../../src/kudo/resources/operator-version.ts';
import { demoPackage } from '../demo-package.ts';
import { KudoStage } from '../kudo-stage.ts';
import { asked, instances, objectOf, steer } from './around-of.ts';

const one = (name: string, ...tasks: string[]): NonNullable<OperatorVersionSpec['plans']>[string] => ({
  strategy: 'serial',
  phases: [{ name: 'main', strategy: 'serial', steps: [{ name, tasks }] }],
});

const broken = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Params.NOPE }}\n';
const sound = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-extra\n';

/** The demo package with a plan that hangs, one that writes a note, and a template in `deploy` that may be broken. */
function stubborn(extra: string): OperatorVersionSpec {
  const note =
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-note\ndata:\n  note: "{{ .Params.NOTE }}"\n';
  const deploy = demoPackage.plans?.deploy;
  return {
    ...demoPackage,
    parameters: [
      ...(demoPackage.parameters ?? []),
      { name: 'NOTE', default: 'none', trigger: 'note', forcePodRestart: false },
    ],
    templates: { ...demoPackage.templates, 'note.yaml': note, 'extra.yaml': extra },
    tasks: [
      ...(demoPackage.tasks ?? []),
      { name: 'note', kind: 'Apply', spec: { resources: ['note.yaml'] } },
      { name: 'extra', kind: 'Apply', spec: { resources: ['extra.yaml'] } },
      { name: 'hang', kind: 'Dummy', spec: { done: false } },
    ],
    plans: {
      ...demoPackage.plans,
      deploy: {
        ...deploy,
        phases: [...(deploy?.phases ?? []), { name: 'extra', steps: [{ name: 'extra', tasks: ['extra'] }] }],
      },
      note: one('note', 'note'),
      hang: one('hang', 'hang'),
    },
  };
}

async function deployed(spec = {}, extra = sound): Promise<KudoStage> {
  const { stage } = await KudoStage.running(stubborn(extra));
  await stage.install('one', spec);
  await stage.settled('one', 1);
  return stage;
}

/** Another edition of the package under the same name. */
async function mend(stage: KudoStage, spec: OperatorVersionSpec): Promise<void> {
  const at = { namespace: 'default', name: 'demo-0.1.0' };
  await stage.person.resource(stage.typeOfVersion()).patch(at, { type: 'merge', body: { spec } });
}

const phase = (stage: KudoStage): string => instances().summarize(objectOf(stage, 'one')).phase;

describe('abort', () => {
  it('ends the plan that runs, before and after the spec tells of it', async () => {
    await using stage = await deployed();
    await stage.trigger('one', 'hang');
    await stage.until('it runs', () => stage.instance('one').status?.execution?.plan === 'hang');
    expect(phase(stage)).toBe('progressing');
    expect(await steer(stage, 'one', 'abort')).toMatch(
      /^plan hang ends, and what it has applied stays; `cutover retry/,
    );
    await stage.settled('one', 2);
    expect(stage.last('one')).toBe('hang CANCELED');

    await stage.trigger('one', 'hang');
    await stage.until('it is seen to run', () => stage.instance('one').status?.execution?.shown === true);
    await steer(stage, 'one', 'abort');
    await stage.settled('one', 3);
    expect(stage.last('one')).toBe('hang CANCELED');
    expect(asked(stage, 'one', 'abort')).toEqual({ is: 'refused', why: 'no plan runs that could be ended' });
  });

  it('lets a change begin that waited, as it says', async () => {
    await using stage = await deployed();
    await stage.trigger('one', 'hang');
    await stage.until('it runs', () => stage.instance('one').status?.execution?.shown === true);
    await stage.set('one', { NOTE: 'later' });
    await stage.until('the change waits', () => stage.condition('one', 'Waiting') !== undefined);
    expect(await steer(stage, 'one', 'abort')).toContain('the change that waits begins then');
    await stage.settled('one', 3);
    expect(stage.last('one')).toBe('note COMPLETE');
  });

  it('says that it withdraws a trigger that waits', async () => {
    await using stage = await deployed();
    await stage.trigger('one', 'hang');
    await stage.until('it runs', () => stage.instance('one').status?.execution?.shown === true);
    await stage.trigger('one', 'note');
    await stage.until('the letter waits', () => stage.condition('one', 'Waiting') !== undefined);
    expect(await steer(stage, 'one', 'abort')).toContain('the trigger of plan note, which waits, is withdrawn');
    await stage.settled('one', 2);
    await stage.clock.advance(5_000);
    expect(stage.instance('one').status?.executions).toBe(2);
  });
});

describe('retry', () => {
  it('runs a failed plan again and carries out the restart that it owed', async () => {
    await using stage = await deployed();
    const before = stage.podUids();
    await mend(stage, stubborn(broken));
    await stage.set('one', { LEVEL: 'debug' });
    await stage.settled('one', 2);
    expect(stage.last('one')).toBe('deploy FATAL_ERROR');
    expect(phase(stage)).toBe('degraded');
    const { needsYou } = instances().summarize(objectOf(stage, 'one'));
    expect(needsYou).toMatch(/^Plan deploy failed: .*NOPE.*`cutover retry Instance\/one -n default`\.$/);

    await mend(stage, stubborn(sound));
    expect(await steer(stage, 'one', 'retry')).toBe(
      'plan deploy runs again; it carries out the restart that is pending',
    );
    await stage.settled('one', 3);
    expect(stage.last('one')).toBe('deploy COMPLETE');
    expect(stage.instance('one').status?.restart).toBeUndefined();
    expect(stage.podUids().filter((uid) => before.includes(uid))).toEqual([]);
    expect(phase(stage)).toBe('healthy');
    expect(asked(stage, 'one', 'retry')).toMatchObject({ is: 'refused', why: expect.stringContaining('ended well') });
  });

  it('restarts nothing when the plan that failed demanded nothing', async () => {
    await using stage = await deployed();
    const before = stage.podUids();
    await mend(stage, stubborn(broken));
    await stage.set('one', { NODE_COUNT: '3' });
    await stage.settled('one', 2);
    expect(stage.last('one')).toBe('deploy FATAL_ERROR');
    await mend(stage, stubborn(sound));
    expect(await steer(stage, 'one', 'retry')).toBe(
      'plan deploy runs again; pods restart only if their template changes',
    );
    await stage.settled('one', 3);
    expect(stage.last('one')).toBe('deploy COMPLETE');
    expect(stage.podUids()).toEqual(expect.arrayContaining([...before]));
  });

  it('is not needed while a plan runs', async () => {
    await using stage = await deployed();
    await stage.trigger('one', 'hang');
    await stage.until('it runs', () => stage.instance('one').status?.execution?.plan === 'hang');
    expect(asked(stage, 'one', 'retry')).toMatchObject({
      is: 'refused',
      why: expect.stringContaining('plan hang runs'),
    });
  });
});

describe('restart', () => {
  it('restarts all pods, and asks nobody when others serve meanwhile', async () => {
    await using stage = await deployed();
    const before = stage.podUids();
    expect(asked(stage, 'one', 'restart')).not.toHaveProperty('stake');
    expect(await steer(stage, 'one', 'restart')).toBe(
      'plan deploy runs; 2 pods of StatefulSet one-node restart one after the other',
    );
    await stage.settled('one', 2);
    expect(stage.last('one')).toBe('deploy COMPLETE');
    expect(stage.podUids()).toHaveLength(2);
    expect(stage.podUids().filter((uid) => before.includes(uid))).toEqual([]);
  });

  it('asks first when the only pod goes', async () => {
    await using stage = await deployed({ parameters: { NODE_COUNT: '1' } });
    expect(asked(stage, 'one', 'restart')).toMatchObject({
      stake: { what: 'availability', question: expect.stringContaining('the only pod of StatefulSet one-node stops') },
    });
  });

  it('waits for another plan, or takes its place when that is wished', async () => {
    await using stage = await deployed();
    await stage.trigger('one', 'hang');
    await stage.until('it runs', () => stage.instance('one').status?.execution?.shown === true);
    expect(await steer(stage, 'one', 'restart')).toContain('plan deploy runs when plan hang has ended');
    await stage.until('it waits', () => stage.condition('one', 'Waiting') !== undefined);
    expect(await steer(stage, 'one', 'restart', { force: true })).toContain('instead of plan hang');
    await stage.settled('one', 3);
    expect(stage.last('one')).toBe('deploy COMPLETE');
  });

  it('is refused where no plan would do it, with the command that does', async () => {
    const { stage } = await KudoStage.running({ ...stubborn(sound), restartPolicy: 'onDependencyChange' });
    await using _ = stage;
    await stage.install('one');
    await stage.settled('one', 1);
    expect(asked(stage, 'one', 'restart')).toMatchObject({
      is: 'refused',
      why: expect.stringContaining('kubectl rollout restart statefulset/one-node -n default'),
    });
  });
});

describe('pause and resume', () => {
  it('stop the operator and let it go on with what was changed meanwhile', async () => {
    await using stage = await deployed();
    expect(asked(stage, 'one', 'resume')).toEqual({ is: 'refused', why: 'it is not paused' });
    await steer(stage, 'one', 'pause');
    expect(phase(stage)).toBe('paused');
    expect(asked(stage, 'one', 'restart')).toMatchObject({ is: 'refused', why: expect.stringContaining('is paused') });
    await stage.set('one', { NOTE: 'meanwhile' });
    await stage.clock.advance(10_000);
    expect(stage.instance('one').status?.executions).toBe(1);
    await steer(stage, 'one', 'resume');
    await stage.settled('one', 2);
    expect(stage.last('one')).toBe('note COMPLETE');
  });
});

describe('rollback', () => {
  it('takes back a change that is refused', async () => {
    await using stage = await deployed();
    const before = stage.podUids();
    await stage.set('one', { LEVEL: 'debug', UNHEARD: 'of' });
    await stage.until('it is refused', () => stage.condition('one', 'Accepted') === 'False UnknownParameter');
    expect(phase(stage)).toBe('degraded');
    expect(await steer(stage, 'one', 'rollback')).toBe(
      'LEVEL and UNHEARD are as accepted before; no plan runs for it and no pod restarts',
    );
    await stage.until('it is well', () => stage.condition('one', 'Accepted') === 'True Accepted');
    expect(phase(stage)).toBe('healthy');
    expect(stage.instance('one').status?.executions).toBe(1);
    expect(stage.podUids()).toEqual(before);
  });

  it('takes back a change that waits, and leaves the plan that runs', async () => {
    await using stage = await deployed();
    await stage.trigger('one', 'hang');
    await stage.until('it runs', () => stage.instance('one').status?.execution?.shown === true);
    await stage.set('one', { NOTE: 'later' });
    await stage.until('the change waits', () => stage.condition('one', 'Waiting') !== undefined);
    await steer(stage, 'one', 'rollback');
    await stage.until('nothing waits', () => stage.condition('one', 'Waiting') === undefined);
    expect(stage.instance('one').status?.execution?.plan).toBe('hang');
  });

  it('says what to type where the former values are not kept', async () => {
    await using stage = await deployed();
    await stage.set('one', { NOTE: 'new' });
    await stage.settled('one', 2);
    expect(asked(stage, 'one', 'rollback')).toEqual({
      is: 'refused',
      why: 'the former value of NOTE is not kept: set this with `cutover kudo update --instance one -p NOTE=… -n default`',
    });
  });
});

describe('an Instance that is deleted', () => {
  it('can be neither aborted nor restarted', async () => {
    await using stage = await deployed();
    await mend(stage, { ...stubborn(sound), plans: { ...stubborn(sound).plans, cleanup: one('hang', 'hang') } });
    await stage.remove('one');
    await stage.until('cleanup runs', () => stage.instance('one').status?.execution?.plan === 'cleanup');
    expect(phase(stage)).toBe('deleting');
    expect(asked(stage, 'one', 'abort')).toMatchObject({ is: 'refused', why: expect.stringContaining('cleanup') });
    expect(asked(stage, 'one', 'restart')).toMatchObject({ is: 'refused' });
  });
});
