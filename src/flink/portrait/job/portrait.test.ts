import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../../kube/object.ts';
import { run } from '../../decide/model/run.fixture.ts';
import { running } from '../../decide/model/running.fixture.ts';
import { sessionCluster } from '../../decide/model/session-world.fixture.ts';
import { image, job } from '../../decide/model/specs.fixture.ts';
import type { World } from '../../decide/model/world.fixture.ts';
import { aroundOf } from '../around.fixture.ts';
import { operator } from '../blue-green/world.fixture.ts';
import { portrayJob } from './portrait.ts';

function pod(createdAt: number): AnyObject {
  const labels = { app: 'app', type: 'flink-native-kubernetes', component: 'jobmanager' };
  const creationTimestamp = new Date(createdAt).toISOString();
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'app-1', labels, creationTimestamp } };
}

function told(world: World, change: (object: AnyObject) => AnyObject = (object) => object) {
  const around = aroundOf(world.now, { pods: [pod(world.now)] });
  return portrayJob(change({ ...world.resource }), around, operator);
}

const conditioned = (type: string, reason: string, message: string) => (object: AnyObject) => {
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const condition = { type, status: 'True', reason, message, lastTransitionTime };
  return { ...object, status: { ...(object.status as object), conditions: [condition] } };
};

const why = ({ pods }: ReturnType<typeof told>) => pods[0]?.reasons.map(({ when, sentence }) => `${when}: ${sentence}`);

describe('the portrait of a job', () => {
  it('that is stable', () => {
    const portrait = told(running('savepoint'));
    expect(portrait).toMatchObject({
      phase: 'healthy',
      state: 'STABLE',
      serving: 'the job, parallelism 2',
      sides: [{ name: 'job', role: 'serving', state: 'RUNNING' }],
    });
    expect(portrait.answers).toMatchObject({
      changing: 'Nothing: it runs as specified.',
      next: 'Nothing. Before an edit, see what it would do: `cutover plan -f FILE`.',
    });
    expect(portrait.answers.progress).toMatch(/^The last change \(.*\) ended \d+s ago: deployed\./);
    expect(portrait.steps.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'first-deployment done',
      'stable done',
    ]);
    expect(portrait.facts).toContainEqual({ label: 'mode', value: 'native' });
    expect(portrait.facts).toContainEqual({ label: 'kind', value: 'application cluster' });
    expect(why(portrait)).toEqual(['did: Made: The job is deployed for the first time.']);
  });

  it('in an upgrade whose savepoint fails', () => {
    const world = running('savepoint');
    world.stopFails = 'the disk is full';
    world.edit(image('flink:1.20.1'));
    run(world, 3);
    const portrait = told(world);
    expect(portrait).toMatchObject({
      phase: 'progressing',
      state: 'UPGRADING',
      serving: 'the job',
      inTransition: true,
    });
    expect(portrait.steps.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'suspending current',
      'clearing pending',
      'starting pending',
      'stable pending',
    ]);
    expect(portrait.answers.next).toBe(
      'See why that fails. If the state may be dropped: `cutover restart flinkdep/app --stateless -n ns`.',
    );
    expect(portrait.answers.ifStopped).toContain('Put the specification back, and the job is brought back to it');
    expect(portrait.cause).toMatchObject({ kind: 'spec-change' });
    expect(portrait.cause?.changes).toContainEqual({
      path: 'spec.image',
      from: 'flink:1.20',
      to: 'flink:1.20.1',
      demands: 'upgrade',
    });
    expect(why(portrait)?.[0]).toMatch(/^will: Will be removed: The spec changed/);
  });

  it('that is resumed has nothing to stop', () => {
    const world = running('savepoint');
    world.edit(job({ state: 'suspended' }));
    run(world);
    expect(told(world)).toMatchObject({ phase: 'suspended', serving: 'nothing', state: 'SUSPENDED' });
    expect(told(world).answers.next).toBe('To go on: `cutover resume flinkdep/app -n ns`.');
    world.edit(job({ state: 'running' }));
    run(world, 1, { stopBefore: 1 });
    expect(told(world).steps[0]).toEqual({ name: 'suspending', title: 'Stop the job', status: 'skipped' });
    expect(why(told(world))?.[0]).toMatch(/^did: Made for a changed specification/);
  });

  it('that is paused, refused, managed elsewhere or going', () => {
    const world = running('savepoint');
    const paused = told(world, conditioned('Paused', 'PausedByAnnotation', 'Nothing is done about it.'));
    expect(paused).toMatchObject({ phase: 'paused', headline: 'Nothing is done about it.' });
    expect(paused.needsYou).toBeUndefined();
    expect(paused.answers.next).toBe('To go on: `cutover resume flinkdep/app -n ns`.');
    const elsewhere = told(world, conditioned('ManagedElsewhere', 'LeaseAlive', 'Another controller is alive.'));
    expect(elsewhere).toMatchObject({ phase: 'waiting', needsYou: 'Another controller is alive.' });
    const barred = told(world, conditioned('NotReadable', 'Forbidden', 'The operator may not watch pods.'));
    expect(barred).toMatchObject({ phase: 'waiting', needsYou: 'The operator may not watch pods.' });
    const refused = told(world, conditioned('Stalled', 'ValidationError', 'spec.image is absent.'));
    expect(refused).toMatchObject({
      phase: 'degraded',
      needsYou: 'The specification is refused: spec.image is absent. Correct it.',
    });
    expect(refused.answers.changing).toContain('What is deployed goes on as it is.');
    const going = told(world, (object) => ({
      ...object,
      metadata: { ...object.metadata, deletionTimestamp: new Date(world.now).toISOString() },
    }));
    expect(going).toMatchObject({ phase: 'deleting' });
    expect(why(going)?.[0]).toBe('will: Goes with the resource, which is being deleted.');
    const fresh = told(world, (object) => ({ ...object, status: undefined }));
    expect(fresh).toMatchObject({ phase: 'unknown', headline: 'It was not looked at yet.' });
  });

  it('of a session, and of a job in it', () => {
    const status = { lifecycleState: 'STABLE', jobManagerDeploymentStatus: 'READY' };
    const session = portrayJob({ ...sessionCluster, status } as unknown as AnyObject, aroundOf(0), operator);
    expect(session).toMatchObject({ phase: 'healthy', serving: 'the session cluster', sides: [{ state: 'READY' }] });
    expect(session.answers.serves).toBe('FlinkDeployment session: its JobManager answers.');
    expect(session.answers.ifStopped).toContain('suspend the jobs in it first');
    const down = { ...sessionCluster, status: { ...status, jobManagerDeploymentStatus: 'MISSING' } };
    expect(portrayJob(down as unknown as AnyObject, aroundOf(0), operator).answers.serves).toBe(
      'Nothing serves: the session cluster of FlinkDeployment session is MISSING.',
    );
    const inIt = {
      ...sessionCluster,
      kind: 'FlinkSessionJob',
      spec: { deploymentName: 'session', job: { parallelism: 2 } },
      status: { lifecycleState: 'STABLE', jobStatus: { state: 'RUNNING' } },
    };
    const { facts, pods } = portrayJob(inIt as unknown as AnyObject, aroundOf(0), operator);
    expect(facts).toContainEqual({ label: 'session cluster', value: 'session' });
    expect(facts.map(({ label }) => label)).not.toContain('mode');
    expect(pods).toEqual([]);
  });

  it('tells of a change that did not end as it was meant to', () => {
    const world = running('savepoint');
    const entry = { id: 'u-9', cause: 'spec-change', because: 'x', generation: 2, startedAt: 'a', endedAt: 'b' };
    const portrait = told(world, (object) => ({
      ...object,
      status: { ...(object.status as object), history: [{ ...entry, outcome: 'not rescaled in place: no slots' }] },
    }));
    expect(portrait.steps[0]).toMatchObject({ status: 'failed' });
    expect(portrait.history).toMatchObject([{ good: false, outcome: 'not rescaled in place: no slots' }]);
    expect(portrait.answers.progress).toContain('some time ago');
  });
});
