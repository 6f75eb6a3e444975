import { describe, expect, it } from 'vitest';
import type { FlinkDeploymentSpec } from '../resources/flink-deployment.ts';
import { run } from './model/run.fixture.ts';
import { application, type Edit, ha, image, job } from './model/specs.fixture.ts';
import { World } from './model/world.fixture.ts';

/** What is the case in the end, whatever happened on the way. Ids and times differ, the rest must not. */
function end(world: World) {
  const { status } = world.resource;
  return {
    lifecycle: status?.lifecycleState,
    error: status?.error,
    transition: status?.transition,
    nonces: status?.nonces,
    jobState: status?.jobStatus?.state,
    running: [...(world.process?.jobs.values() ?? [])].map(({ state }) => state),
    from: world.job?.startedFrom.replace(/[0-9a-f]{32}|savepoint-[0-9a-f-]+/g, '*').replace(/chk-\d+/, 'chk'),
    objects: [...world.objects.keys()].map((key) => key.replace(/\d{13}/, '*')).sort(),
    metadata: world.storage.ha.size,
    savepoints: [...world.storage.files.keys()].filter((path) => path.includes('/savepoint-')).length,
    finalizers: world.resource.metadata.finalizers,
  };
}

const scenarios: Record<string, { readonly spec: FlinkDeploymentSpec; readonly edits: readonly Edit[] }> = {
  'a savepoint upgrade': { spec: application('savepoint'), edits: [image('flink:1.20.1')] },
  'a last-state upgrade with HA': { spec: application('last-state', ha), edits: [image('flink:1.20.1')] },
  'a last-state upgrade without HA': { spec: application('last-state'), edits: [image('flink:1.20.1')] },
  'a stateless upgrade': { spec: application('stateless'), edits: [image('flink:1.20.1')] },
  'a stateless redeploy': { spec: application('savepoint', ha), edits: [job({ statelessRedeployNonce: 1 })] },
  'a savepoint redeploy': {
    spec: application('savepoint', ha),
    edits: [job({ savepointRedeployNonce: 1, initialSavepointPath: 's3://sp/mine' })],
  },
  'a suspension and a resumption': {
    spec: application('savepoint'),
    edits: [job({ state: 'suspended' }), job({ state: 'running' })],
  },
};

describe('an operator that dies between any two actions', () => {
  it.each(Object.entries(scenarios))('brings %s to the same end', (_, scenario) => {
    const whole = new World(scenario.spec);
    whole.storage.files.set('s3://sp/mine', 1000);
    run(whole);
    const counts: number[] = [];
    for (const edit of scenario.edits) {
      whole.edit(edit);
      counts.push(run(whole));
    }
    const expected = end(whole);
    expect(expected.lifecycle).toBe('STABLE');
    expect(expected.running).toEqual(['RUNNING']);
    for (const [step, count] of counts.entries()) {
      for (let dieBefore = 0; dieBefore <= count; dieBefore++) {
        const world = new World(scenario.spec);
        world.storage.files.set('s3://sp/mine', 1000);
        run(world);
        for (const [index, edit] of scenario.edits.entries()) {
          world.edit(edit);
          run(world, 60, index === step ? { dieBefore } : {});
        }
        expect(end(world), `died before action ${dieBefore} of step ${step}: ${world.deeds.join(', ')}`).toEqual(
          expected,
        );
      }
    }
  });

  it('brings a first deployment to the same end', () => {
    const whole = new World(application('savepoint', ha));
    const count = run(whole);
    for (let dieBefore = 0; dieBefore <= count; dieBefore++) {
      const world = new World(application('savepoint', ha));
      run(world, 60, { dieBefore });
      expect(end(world), `died before action ${dieBefore}`).toEqual(end(whole));
    }
  });

  it('brings a deletion with a savepoint to the same end', () => {
    const spec = application('savepoint', { ...ha, 'kubernetes.operator.job.savepoint-on-deletion': 'true' });
    const deleted = (dieBefore?: number): [World, number] => {
      const world = new World(spec);
      run(world);
      world.delete();
      return [world, run(world, 60, dieBefore === undefined ? {} : { dieBefore })];
    };
    const [whole, count] = deleted();
    for (let dieBefore = 0; dieBefore <= count; dieBefore++) {
      const [world] = deleted(dieBefore);
      expect(world.gone).toBe(true);
      expect(end(world), `died before action ${dieBefore}`).toEqual({ ...end(whole), transition: expect.anything() });
    }
  });
});

describe('a redeploy nonce that changes between any two actions of an upgrade', () => {
  it.each([
    ['stateless', { statelessRedeployNonce: 1 }, 'nothing'],
    ['savepoint', { savepointRedeployNonce: 1, initialSavepointPath: 's3://sp/mine' }, 's3://sp/mine'],
  ])('%s: acts exactly once', (kind, change, from) => {
    const begun = (until: number): [World, number] => {
      const world = new World(application('savepoint', ha));
      world.storage.files.set('s3://sp/mine', 1000);
      run(world);
      world.edit(image('flink:1.20.1'));
      return [world, run(world, 60, { stopBefore: until })];
    };
    const [, count] = begun(Number.POSITIVE_INFINITY);
    for (let until = 0; until <= count; until++) {
      const [world] = begun(until);
      world.edit(job(change));
      run(world, 60);
      const where = `after action ${until}: ${world.deeds.join(', ')}`;
      expect(world.resource.status?.lifecycleState, where).toBe('STABLE');
      expect(world.job?.startedFrom, where).toBe(from);
      const redeploys = world.resource.status?.history?.filter(({ cause }) => cause === `${kind}-redeploy`);
      expect(redeploys, where).toHaveLength(1);
      expect(JSON.stringify(world.objects.get('Deployment/app')), where).toContain('flink:1.20.1');
    }
  });
});
