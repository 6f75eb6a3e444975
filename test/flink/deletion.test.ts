import { describe, expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import { application } from './manifests.ts';
import { FlinkStage } from './stage.ts';

/** Everything that a cluster leaves behind in Kubernetes. */
function left(stage: FlinkStage, name: string): readonly string[] {
  const types = [kinds.deployments, kinds.replicaSets, kinds.services, kinds.configMaps, kinds.pods];
  return types
    .flatMap((type) => stage.embedded.world.list(type))
    .filter(({ metadata }) => metadata.labels?.app === name || metadata.name?.startsWith(`${name}-`))
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
}

describe('deleting an application', () => {
  it.each(['native', 'standalone'] as const)(
    'in %s mode takes everything of it along, and no savepoint',
    async (mode) => {
      await using stage = await FlinkStage.open();
      stage.start();
      const name = await stage.running(application({ ha: true, mode }));
      await stage.remove(name);
      await stage.gone(name);
      await stage.clock.advance(60_000);
      expect(left(stage, name)).toEqual([]);
      expect(stage.savepoints(name)).toEqual([]);
      expect(stage.lastRun(name).isLive).toBe(false);
    },
  );

  it('stops it with a savepoint first when that is asked for', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const configuration = { 'kubernetes.operator.job.savepoint-on-deletion': 'true' };
    const name = await stage.running(application({ ha: true, configuration }));
    await stage.remove(name);
    await stage.gone(name);
    await stage.clock.advance(60_000);
    expect(stage.savepoints(name)).toHaveLength(1);
    expect(stage.lastRun(name).end).toBe('FINISHED');
    expect(left(stage, name)).toEqual([]);
  });

  it('waits for that savepoint, however often it fails', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const configuration = { 'kubernetes.operator.job.savepoint-on-deletion': 'true' };
    const name = await stage.running(application({ configuration }));
    stage.fail(name, { savepoints: { mode: 'fail', times: 3 } });
    await stage.remove(name);
    await stage.gone(name, 'FlinkDeployment', 60 * 60_000);
    expect(stage.savepoints(name)).toHaveLength(1);
    expect(stage.lastRun(name).end).toBe('FINISHED');
  });

  it('needs no savepoint of a job that does not run', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const configuration = { 'kubernetes.operator.job.savepoint-on-deletion': 'true' };
    const name = await stage.running(application({ configuration }));
    await stage.editJob(name, { state: 'suspended' });
    await stage.lifecycle(name, 'SUSPENDED');
    await stage.remove(name);
    await stage.gone(name);
    expect(stage.savepoints(name)).toHaveLength(1);
  });

  it('ends an upgrade that is under way', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application());
    stage.fail(name, { savepoints: { mode: 'never' } });
    await stage.editJob(name, { parallelism: 1 });
    await stage.phase(name, 'suspending');
    await stage.clock.advance(5_000);
    await stage.remove(name);
    await stage.gone(name);
    await stage.clock.advance(60_000);
    expect(left(stage, name)).toEqual([]);
  });

  it('is not held up by a JobManager that does not answer', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application());
    stage.fail(name, { rest: { mode: 'hang' } });
    await stage.remove(name);
    await stage.gone(name, 'FlinkDeployment', 30 * 60_000);
    await stage.clock.advance(60_000);
    expect(left(stage, name)).toEqual([]);
  });
});
