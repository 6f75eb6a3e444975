import { describe, expect, it } from 'vitest';
import type { FlinkDeploymentSpec } from '../resources/flink-deployment.ts';
import { run } from './model/run.fixture.ts';
import { World } from './model/world.fixture.ts';

const ha = { 'high-availability.type': 'kubernetes', 'high-availability.storageDir': 's3://ha' };

function spec(upgradeMode: 'savepoint' | 'last-state' | 'stateless', more: object = {}): FlinkDeploymentSpec {
  return {
    image: 'flink:1.20',
    flinkVersion: 'v1_20',
    serviceAccount: 'flink',
    flinkConfiguration: { 'state.checkpoints.dir': 's3://cp', 'state.savepoints.dir': 's3://sp', ...more },
    jobManager: { resource: { cpu: 0.5, memory: '1g' } },
    taskManager: { resource: { cpu: 1, memory: '2g' } },
    job: { jarURI: 'local:///opt/flink/usrlib/a.jar', parallelism: 2, upgradeMode },
  };
}

type Edit = (spec: FlinkDeploymentSpec) => FlinkDeploymentSpec;
const job =
  (change: object): Edit =>
  (old) => ({ ...old, job: { ...old.job, ...change } });

const image: Edit = (old) => ({ ...old, image: 'flink:1.20.1' });

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
    finalizers: world.resource.metadata.finalizers,
  };
}

const scenarios: Record<string, { readonly spec: FlinkDeploymentSpec; readonly edits: readonly Edit[] }> = {
  'a savepoint upgrade': { spec: spec('savepoint'), edits: [image] },
  'a last-state upgrade with HA': { spec: spec('last-state', ha), edits: [image] },
  'a last-state upgrade without HA': { spec: spec('last-state'), edits: [image] },
  'a stateless upgrade': { spec: spec('stateless'), edits: [image] },
  'a stateless redeploy': { spec: spec('savepoint', ha), edits: [job({ statelessRedeployNonce: 1 })] },
  'a savepoint redeploy': {
    spec: spec('savepoint', ha),
    edits: [job({ savepointRedeployNonce: 1, initialSavepointPath: 's3://sp/mine' })],
  },
  'a suspension and a resumption': {
    spec: spec('savepoint'),
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
});
