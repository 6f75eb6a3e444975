import { describe, expect, it } from 'vitest';
import { kinds } from '../../../src/kube/kinds.ts';
import type { OperatorVersionSpec } from '../../../src/kudo/resources/operator-version.ts';
import type { Portrait } from '../../../src/portrait/portrait.ts';
import { demoPackage } from '../demo-package.ts';
import { KudoStage } from '../kudo-stage.ts';
import { aroundOf, asked, instances, objectOf } from './around-of.ts';

const portrait = (stage: KudoStage, name: string): Portrait =>
  instances().portray(objectOf(stage, name), aroundOf(stage));

const hanging: OperatorVersionSpec = {
  ...demoPackage,
  tasks: [...(demoPackage.tasks ?? []), { name: 'hang', kind: 'Dummy', spec: { done: false } }],
  plans: { ...demoPackage.plans, hang: { phases: [{ name: 'main', steps: [{ name: 'hang', tasks: ['hang'] }] }] } },
};

describe('a portrait, while the operator works', () => {
  it('tells pod by pod what is still to come', async () => {
    const { stage } = await KudoStage.running(demoPackage);
    await using _ = stage;
    await stage.install('one', { parameters: { NODE_COUNT: '3' } });
    await stage.settled('one', 1);
    expect(portrait(stage, 'one')).toMatchObject({
      phase: 'healthy',
      pods: [{ ready: true }, { ready: true }, { ready: true }],
    });

    await stage.set('one', { LEVEL: 'debug' });
    const seen = new Set<number>();
    await stage.until('it has rolled', () => {
      const { pods, phase, inTransition } = portrait(stage, 'one');
      if (inTransition) {
        expect(phase).toBe('progressing');
        seen.add(pods.filter(({ reasons }) => reasons.some(({ when }) => when === 'will')).length);
      }
      return stage.instance('one').status?.executions === 2 && !inTransition;
    });
    // Three pods were to restart, then ever fewer.
    expect([...seen]).toEqual([...seen].sort((a, b) => b - a));
    expect(seen.size).toBeGreaterThan(1);
    const { pods, history } = portrait(stage, 'one');
    for (const pod of pods) {
      expect(pod.reasons).toEqual([
        {
          when: 'did',
          sentence: 'restarted because LEVEL changed app.conf in ConfigMap one-config',
          at: pod.createdAt,
        },
      ]);
    }
    expect(history[0]).toMatchObject({
      because: 'LEVEL changed',
      good: true,
      info: 'restarted pods of StatefulSet one-node',
    });
  });

  it('does not blame a plan for a pod that somebody deleted', async () => {
    const { stage } = await KudoStage.running(demoPackage);
    await using _ = stage;
    await stage.install('one');
    await stage.settled('one', 1);
    await stage.clock.advance(60_000);
    const before = stage.podUids();
    await stage.person.resource(kinds.pods).delete({ namespace: 'default', name: 'one-node-0' });
    await stage.until('there is another', () => stage.pods().length === 2 && stage.podUids().join() !== before.join());
    expect(portrait(stage, 'one').pods[0]?.reasons[0]?.sentence).toBe(
      'made while no plan ran: its workload was short of a pod',
    );
  });

  it('keeps its word on when a plan gives way to a change that waits', async () => {
    const { stage } = await KudoStage.running(hanging);
    await using _ = stage;
    await stage.install('one');
    await stage.settled('one', 1);
    await stage.trigger('one', 'hang');
    await stage.until('it runs', () => stage.instance('one').status?.execution?.plan === 'hang');
    await stage.set('one', { LEVEL: 'debug' });
    await stage.until('it waits', () => stage.condition('one', 'Waiting') !== undefined);
    const [deadline] = portrait(stage, 'one').deadlines;
    expect(deadline?.what).toBe('plan hang gives way to the change that waits');
    const at = Date.parse(deadline?.at ?? '');
    await stage.clock.advance(at - stage.clock.now() - 1000);
    expect(stage.instance('one').status?.execution?.plan).toBe('hang');
    await stage.clock.advance(2000);
    await stage.until(
      'it gave way',
      () =>
        stage.instance('one').status?.history?.[0]?.outcome !== 'COMPLETE' || stage.last('one') === 'deploy COMPLETE',
    );
    expect(stage.instance('one').status?.history?.map(({ plan, outcome }) => `${plan} ${outcome}`)).toContain(
      'hang SUPERSEDED',
    );
  });

  it('says that its version is gone', async () => {
    const { stage } = await KudoStage.running(demoPackage);
    await using _ = stage;
    await stage.install('one');
    await stage.settled('one', 1);
    await stage.person.resource(stage.typeOfVersion()).delete({ namespace: 'default', name: 'demo-0.1.0' });
    expect(portrait(stage, 'one').needsYou).toBe(
      'The OperatorVersion demo-0.1.0 is not there, so no plan can run: install the package again.',
    );
    expect(asked(stage, 'one', 'restart')).toMatchObject({
      is: 'refused',
      why: expect.stringContaining('is not there'),
    });
  });

  it('speaks for the children of a package, whose pods it lists', async () => {
    const { stage } = await KudoStage.running(demoPackage);
    await using _ = stage;
    const task = { package: 'demo', operatorVersion: '0.1.0', instanceName: 'kid' };
    await stage.version('parent-1.0.0', {
      operator: { name: 'parent' },
      version: '1.0.0',
      tasks: [{ name: 'demo', kind: 'KudoOperator', spec: task }],
      plans: { deploy: { phases: [{ name: 'main', steps: [{ name: 'demo', tasks: ['demo'] }] }] } },
    });
    await stage.install('top', { operatorVersion: { name: 'parent-1.0.0' } });
    await stage.settled('top', 1);
    const { pods, tree } = portrait(stage, 'top');
    expect(pods.map(({ name, side }) => `${side}: ${name}`)).toEqual(['kid: kid-node-0', 'kid: kid-node-1']);
    expect(tree.children.map(({ kind, name, children }) => `${kind} ${name} ${children.length}`)).toEqual([
      'Instance kid 3',
    ]);
    expect(asked(stage, 'top', 'restart')).toMatchObject({
      is: 'refused',
      why: expect.stringContaining('cutover restart Instance/kid -n default'),
    });
    const pod = stage.pods()[0];
    expect(pod && instances().claims(pod, aroundOf(stage))).toBe('kid');
  });
});
