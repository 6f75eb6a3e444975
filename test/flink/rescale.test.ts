import { describe, expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import { application } from './manifests.ts';
import { FlinkStage } from './stage.ts';

type Overview = { readonly jobs: readonly { readonly tasks: { readonly total: number; readonly running: number } }[] };

async function tasks(stage: FlinkStage, name: string): Promise<number | undefined> {
  return ((await stage.rest(name, 'GET', '/jobs/overview')) as Overview).jobs[0]?.tasks.total;
}

describe('rescaling in place', () => {
  it('widens an adaptive job in native mode by its vertices, without a restart of the cluster', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const configuration = { 'jobmanager.scheduler': 'adaptive' };
    const name = await stage.running(application({ configuration, ha: true }));
    const before = await tasks(stage, name);
    const { jobId } = stage.status(name).jobStatus ?? {};
    const { vertices } = (await stage.rest(name, 'GET', `/jobs/${jobId}`)) as { vertices: { id: string }[] };
    const overrides = vertices.map(({ id }) => `${id}:4`).join(',');
    const pod = stage.pods(name, 'jobmanager')[0]?.metadata.uid;
    await stage.edit(name, { flinkConfiguration: { 'pipeline.jobvertex-parallelism-overrides': overrides } });
    await stage.stable(name);
    await stage.clock.advance(60_000);
    expect(before).toBe(4);
    expect(await tasks(stage, name)).toBe(8);
    expect(stage.pods(name, 'jobmanager')[0]?.metadata.uid).toBe(pod);
    expect(stage.status(name).jobStatus?.jobId).toBe(jobId);
    expect(stage.savepoints(name)).toEqual([]);
    expect(stage.counted(name)).toMatchObject({ lost: [], startedEmpty: 0 });
    expect(await stage.events(name, 'Scaling')).toHaveLength(1);
  });

  it('changes the TaskManagers of a reactive job in standalone mode, and nothing else', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const configuration = { 'scheduler-mode': 'reactive' };
    const name = await stage.running(application({ mode: 'standalone', configuration, ha: true }));
    const pod = stage.pods(name, 'jobmanager')[0]?.metadata.uid;
    await stage.editJob(name, { parallelism: 8 });
    await stage.stable(name);
    await stage.clock.advance(60_000);
    expect(stage.find(kinds.deployments, `${name}-taskmanager`)?.spec).toMatchObject({ replicas: 4 });
    expect(await tasks(stage, name)).toBe(16);
    expect(stage.pods(name, 'jobmanager')[0]?.metadata.uid).toBe(pod);
    expect(stage.counted(name)).toMatchObject({ lost: [], startedEmpty: 0 });
    expect(stage.status(name).taskManager).toMatchObject({ replicas: 4 });
  });

  it('is an upgrade where Flink cannot', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application({ mode: 'standalone' }));
    await stage.editJob(name, { parallelism: 4 });
    await stage.stable(name);
    expect(stage.runs(name)).toHaveLength(2);
    expect(await tasks(stage, name)).toBe(8);
    expect(stage.counted(name)).toMatchObject({ lost: [], doubled: [], startedEmpty: 0 });
  });
});
