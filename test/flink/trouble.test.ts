import { describe, expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import { application, namespace } from './manifests.ts';
import { FlinkStage } from './stage.ts';

const annotated = (fail: string) => ({ metadata: { annotations: { 'embedded.cutover.dev/fail': fail } } });

describe('a savepoint for an upgrade', () => {
  it('that fails leaves the job running, is told, and tried again', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application());
    stage.fail(name, { savepoints: { mode: 'fail' } });
    await stage.editJob(name, { parallelism: 1 });
    await stage.until('it is told', () => stage.status(name).error !== undefined);
    await stage.clock.advance(60_000);
    expect(stage.runs(name).filter(({ isLive }) => isLive)).toHaveLength(1);
    expect((await stage.events(name, 'SavepointError')).length).toBeGreaterThan(0);
    stage.fail(name, {});
    await stage.stable(name, 'FlinkDeployment', 30 * 60_000);
    expect(stage.savepoints(name)).toHaveLength(1);
    expect(stage.status(name)).not.toHaveProperty('error');
    expect(stage.counted(name)).toMatchObject({ lost: [], startedEmpty: 0 });
  });

  it('that never ends is given up for another one, and nothing is lost', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application({ configuration: { 'execution.checkpointing.timeout': '2 min' } }));
    stage.fail(name, { savepoints: { mode: 'never', times: 1 } });
    await stage.editJob(name, { parallelism: 1 });
    await stage.stable(name, 'FlinkDeployment', 60 * 60_000);
    expect(stage.savepoints(name)).toHaveLength(1);
    expect(stage.counted(name)).toMatchObject({ lost: [], startedEmpty: 0 });
  });

  it('that is slow is waited for', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application());
    stage.fail(name, { savepoints: { mode: 'slow', ms: 5 * 60_000 } });
    await stage.editJob(name, { parallelism: 1 });
    await stage.clock.advance(4 * 60_000);
    expect(stage.status(name)).toMatchObject({ transition: { phase: 'suspending' } });
    await stage.stable(name, 'FlinkDeployment', 30 * 60_000);
    expect(stage.savepoints(name)).toHaveLength(1);
    expect(stage.counted(name)).toMatchObject({ lost: [], doubled: [], startedEmpty: 0 });
  });

  it('that dies with its JobManager ends in the state of the job, never in an older one by silence', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application({ ha: true }));
    stage.fail(name, { savepoints: { mode: 'slow', ms: 60_000 } });
    await stage.editJob(name, { parallelism: 1 });
    await stage.phase(name, 'suspending');
    await stage.clock.advance(5_000);
    await stage.killJobManager(name);
    stage.fail(name, {});
    await stage.stable(name, 'FlinkDeployment', 30 * 60_000);
    expect(stage.savepoints(name)).toHaveLength(1);
    expect(stage.counted(name)).toMatchObject({ lost: [], startedEmpty: 0 });
  });
});

describe('a cancellation for an upgrade', () => {
  it('that dies with its JobManager is asked for again, and the upgrade goes on', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application({ job: { upgradeMode: 'last-state' } }));
    await stage.editJob(name, { args: ['--rate', '10', '--label', 'second'] });
    const isAsked = (): boolean => stage.asked.some((one) => one.startsWith(`PATCH ${name} /jobs/`));
    await stage.until('Flink is asked to cancel it', isAsked);
    // It took the request, and has not done anything about it yet.
    await stage.killJobManager(name);
    await stage.stable(name, 'FlinkDeployment', 30 * 60_000);
    expect(stage.lastRun(name).origin.label).toBe('second');
  });
});

describe('a REST service that', () => {
  it.each([
    ['hangs', 'hang'],
    ['answers garbage', 'garbage'],
    ['is cut off', 'cut'],
    ['speaks of another job', 'wrong-job-id'],
  ] as const)('%s is an observation: the job keeps running, and all is well again afterwards', async (_, mode) => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application());
    stage.fail(name, { rest: { mode } });
    await stage.clock.advance(10 * 60_000);
    expect(stage.runs(name)).toHaveLength(1);
    expect(stage.lastRun(name).isLive).toBe(true);
    expect(stage.status(name).history).toHaveLength(1);
    expect(stage.status(name).transition).toBeUndefined();
    stage.fail(name, {});
    await stage.stable(name);
    await stage.clock.advance(120_000);
    expect(stage.status(name).jobStatus?.state).toBe('RUNNING');
  });

  it.each(['hang', 'garbage', 'cut'] as const)(
    'is in trouble (%s) delays an upgrade, and loses nothing',
    async (mode) => {
      await using stage = await FlinkStage.open();
      stage.start();
      const name = await stage.running(application());
      stage.fail(name, { rest: { mode } });
      await stage.editJob(name, { parallelism: 1 });
      await stage.clock.advance(10 * 60_000);
      expect(stage.lastRun(name).isLive || stage.savepoints(name).length === 1).toBe(true);
      stage.fail(name, {});
      await stage.stable(name, 'FlinkDeployment', 30 * 60_000);
      expect(stage.savepoints(name)).toHaveLength(1);
      expect(stage.counted(name)).toMatchObject({ lost: [], doubled: [], startedEmpty: 0 });
    },
  );
});

describe('a JobManager that cannot start', () => {
  it.each([
    ['for its image', 'image-pull', /ImagePull/],
    ['because it crashes', 'crash-loop', /CrashLoopBackOff/],
  ])('%s is named in status.error', async (_, fail, expected) => {
    await using stage = await FlinkStage.open();
    stage.start();
    await stage.apply(application({ spec: { podTemplate: annotated(fail) } }));
    await stage.until('it is told', () => stage.status('orders').error !== undefined);
    expect(stage.status('orders').error).toMatch(expected);
    expect(stage.status('orders')).toMatchObject({ jobManagerDeploymentStatus: 'ERROR' });
    await stage.edit('orders', { podTemplate: null });
    await stage.stable('orders');
    expect(stage.status('orders')).not.toHaveProperty('error');
  });

  it('for a volume that cannot be mounted is named in status.error', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const podTemplate = {
      spec: {
        containers: [{ name: 'flink-main-container', volumeMounts: [{ name: 'x', mountPath: '/x' }] }],
        volumes: [{ name: 'x', configMap: { name: 'nowhere' } }],
      },
    };
    await stage.apply(application({ spec: { podTemplate } }));
    await stage.until('it is told', () => stage.status('orders').error !== undefined);
    expect(stage.status('orders').error).toMatch(/FailedMount|nowhere/);
  });

  it('for a quota is named in status.error, and starts when there is room', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const hard = { 'count/pods': '0' };
    await stage.apply({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'none', namespace },
      ...{ spec: { hard } },
    });
    await stage.apply(application());
    await stage.until('it is told', () => stage.status('orders').error !== undefined);
    expect(stage.status('orders').error).toMatch(/quota/);
    await stage.removeObject(kinds.resourceQuotas, 'none');
    await stage.stable('orders', 'FlinkDeployment', 30 * 60_000);
  });
});

describe('an object of the same name that belongs to somebody else', () => {
  it('is waited for, and not taken', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const labels = { app: 'orders' };
    await stage.apply({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'orders', namespace, labels },
      ...{
        spec: {
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx' }] } },
        },
      },
    });
    await stage.clock.advance(5_000);
    await stage.apply(application());
    await stage.clock.advance(60_000);
    expect(stage.status('orders').error).toContain('Deployment default/orders exists already');
    expect(stage.condition('orders', 'Stalled')).toMatchObject({ status: 'True' });
    expect(stage.runs('orders')).toEqual([]);
    expect(stage.find(kinds.deployments, 'orders')?.metadata.ownerReferences).toBeUndefined();
    await stage.removeObject(kinds.deployments, 'orders');
    await stage.stable('orders');
  });
});
