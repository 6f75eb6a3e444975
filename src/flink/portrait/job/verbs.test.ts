import { applyPatch, type Operation } from 'rfc6902';
import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../../kube/object.ts';
import type { VerbName, Wish } from '../../../portrait/verb.ts';
import { run } from '../../decide/model/run.fixture.ts';
import { running } from '../../decide/model/running.fixture.ts';
import { sessionCluster } from '../../decide/model/session-world.fixture.ts';
import { image } from '../../decide/model/specs.fixture.ts';
import type { World } from '../../decide/model/world.fixture.ts';
import type { FlinkDeployment } from '../../resources/flink-deployment.ts';
import { aroundOf } from '../around.fixture.ts';
import { summarizeJob } from './summary.ts';
import { jobVerbs } from './verbs.ts';

function asked(object: object, name: VerbName, wish: Partial<Wish> = {}) {
  const steering = jobVerbs
    .find((verb) => verb.name === name)
    ?.request({ ...(object as AnyObject) }, aroundOf(0), { id: 'w', ...wish });
  if (!steering) throw new Error(`there is no ${name}`);
  return steering;
}

function refusal(object: object, name: VerbName, wish: Partial<Wish> = {}): string {
  const steering = asked(object, name, wish);
  return steering.is === 'refused' ? steering.why : `not refused: ${steering.said}`;
}

/** Does what the verb writes, as the API server would, and lets things happen. */
function does(world: World, name: VerbName, wish: Partial<Wish> = {}): string {
  const steering = asked(world.resource, name, wish);
  if (steering.is === 'refused') throw new Error(`refused: ${steering.why}`);
  for (const write of steering.writes) {
    if (write.do !== 'patch') throw new Error(write.do);
    expect(write.patch[0]).toEqual({ op: 'test', path: '/metadata/uid', value: 'uid-1' });
    const after: FlinkDeployment = structuredClone(world.resource);
    expect(applyPatch(after, structuredClone(write.patch) as Operation[]).filter((one) => one !== null)).toEqual([]);
    if (JSON.stringify(after.spec) === JSON.stringify(world.resource.spec)) world.rewrite(() => after);
    else world.edit(() => after.spec);
  }
  run(world);
  return steering.said;
}

describe('restart', () => {
  it('brings the job back from a savepoint, and once more', () => {
    const world = running('savepoint');
    for (let times = 0; times < 2; times += 1) {
      const before = world.job?.id;
      expect(asked(world.resource, 'restart')).toMatchObject({ stake: { what: 'availability' } });
      expect(does(world, 'restart')).toContain('stopped with its state and goes on from it');
      expect(world.job?.id).not.toBe(before);
      expect(world.job?.startedFrom).toMatch(/^s3:\/\/sp\/savepoint-/);
    }
  });

  it('without state drops it, after a yes, and once more', () => {
    const world = running('savepoint');
    for (let times = 0; times < 2; times += 1) {
      const before = world.job?.id;
      expect(asked(world.resource, 'restart', { stateless: true })).toMatchObject({ stake: { what: 'state' } });
      does(world, 'restart', { stateless: true });
      expect(world.job?.id).not.toBe(before);
      expect(world.job?.startedFrom).toBe('nothing');
    }
  });
});

it('suspend stops the job and keeps its state; resume goes on from it', () => {
  const world = running('savepoint');
  expect(asked(world.resource, 'suspend')).toMatchObject({ stake: { what: 'availability' } });
  does(world, 'suspend');
  expect(world.process).toBeUndefined();
  expect(summarizeJob({ ...world.resource })).toMatchObject({ phase: 'suspended', serving: 'nothing' });
  expect(refusal(world.resource, 'restart')).toContain('resume it instead');
  expect(does(world, 'resume')).toMatch(/^The job runs again, from s3:\/\/sp\/savepoint-/);
  expect(world.job?.startedFrom).toMatch(/^s3:\/\/sp\/savepoint-/);
  expect(refusal(world.resource, 'resume')).toBe('It is neither paused nor suspended.');
});

it('retry deploys once more what was rolled back', () => {
  const world = running('savepoint', {
    'kubernetes.operator.deployment.rollback.enabled': 'true',
    'kubernetes.operator.deployment.readiness.timeout': '10 s',
    'high-availability.type': 'kubernetes',
    'high-availability.storageDir': 's3://ha',
  });
  expect(refusal(world.resource, 'retry')).toContain('Nothing failed');
  world.brokenImage = 'flink:broken';
  world.edit(image('flink:broken'));
  run(world, 60);
  expect(summarizeJob({ ...world.resource })).toMatchObject({ phase: 'degraded', state: 'ROLLED_BACK' });
  expect(summarizeJob({ ...world.resource }).needsYou).toContain('`cutover retry flinkdep/app -n ns`.');
  world.brokenImage = undefined;
  does(world, 'retry');
  expect(summarizeJob({ ...world.resource })).toMatchObject({ phase: 'healthy', state: 'STABLE' });
});

it('pause is an annotation that resume takes away', () => {
  const world = running('savepoint');
  does(world, 'pause');
  expect(world.resource.metadata.annotations?.['cutover.dev/paused']).toBe('true');
  expect(refusal(world.resource, 'pause')).toBe('It is paused already.');
  expect(refusal(world.resource, 'suspend')).toContain('resume it first');
  does(world, 'resume');
  expect(world.resource.metadata.annotations?.['cutover.dev/paused']).toBeUndefined();
});

it('says what a session cluster cannot do', () => {
  expect(refusal(sessionCluster, 'suspend')).toContain('suspend the jobs in it');
  expect(refusal(sessionCluster, 'restart', { stateless: true })).toContain('no state of its own');
});

it('leaves a side to the blue/green deployment that made it', () => {
  const { resource } = running('savepoint');
  const ownerReferences = [
    { apiVersion: 'flink.apache.org/v1beta1', kind: 'FlinkBlueGreenDeployment', name: 'orders', uid: 'u' },
  ];
  const side = { ...resource, metadata: { ...resource.metadata, ownerReferences } };
  for (const { name } of jobVerbs) {
    expect(refusal(side, name)).toBe('It is a side of FlinkBlueGreenDeployment orders: do it there.');
  }
});
