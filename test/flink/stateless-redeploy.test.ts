import { describe, expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import { application, namespace } from './manifests.ts';
import { FlinkStage } from './stage.ts';

/** Brings a running job into a state, and redeploys it there if it has to be at a certain moment. */
type Arrange = (stage: FlinkStage, name: string, redeploy: () => Promise<void>) => Promise<unknown>;

const quota = {
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'none', namespace },
  spec: { hard: { 'count/deployments.apps': '0' } },
};

const edited = { args: ['--rate', '10', '--label', 'edited'] };

/** Every state that a job can be in when somebody has had enough of its state. */
const states: readonly (readonly [string, Arrange])[] = [
  ['is running', async () => {}],
  [
    'is restarting',
    async (stage, name) => {
      stage.fail(name, { job: { mode: 'after', ms: 1 } });
      await stage.jobState(name, 'RESTARTING');
      stage.fail(name, {});
    },
  ],
  [
    'has failed',
    async (stage, name) => {
      await stage.edit(name, { flinkConfiguration: { 'restart-strategy.type': 'none' } });
      await stage.stable(name);
      stage.fail(name, { job: { mode: 'after', ms: 1 } });
      await stage.jobState(name, 'FAILED');
      stage.fail(name, {});
    },
  ],
  [
    'has finished',
    async (stage, name) => {
      // Somebody stops it behind the operator's back.
      const { jobId } = stage.status(name).jobStatus ?? {};
      await stage.rest(name, 'POST', `/jobs/${jobId}/stop`, {});
      await stage.jobState(name, 'FINISHED');
    },
  ],
  [
    'has no JobManager',
    async (stage, name) => {
      await stage.edit(name, {
        flinkConfiguration: { 'kubernetes.operator.jm-deployment-recovery.enabled': 'false' },
      });
      await stage.clock.advance(5_000);
      await stage.removeObject(kinds.deployments, name);
      await stage.until('it is missed', () => stage.status(name).jobManagerDeploymentStatus === 'MISSING');
    },
  ],
  [
    'has a JobManager that cannot start',
    async (stage, name) => {
      await stage.killJobManager(name);
      stage.fail(name, { start: { mode: 'slow', ms: 10 * 60_000 } });
      await stage.clock.advance(30_000);
      stage.fail(name, {});
    },
  ],
  [
    'is being stopped for an upgrade',
    async (stage, name) => {
      stage.fail(name, { savepoints: { mode: 'slow', ms: 60_000 } });
      await stage.editJob(name, edited);
      await stage.phase(name, 'suspending');
      await stage.clock.advance(3_000);
    },
  ],
  [
    'is being cleared away for an upgrade',
    async (stage, name) => {
      await stage.editJob(name, edited);
      await stage.phase(name, 'clearing');
    },
  ],
  [
    'is about to be started after an upgrade',
    async (stage, name, redeploy) => {
      await stage.editJob(name, edited);
      await stage.atOnceWhen(name, ({ transition }) => transition?.jobId !== undefined, redeploy);
    },
  ],
  [
    'cannot be started because of a quota',
    async (stage, name) => {
      await stage.apply(quota);
      await stage.editJob(name, edited);
      await stage.until('it is refused', () => stage.status(name).transition?.phase === 'starting');
      await stage.clock.advance(5_000);
      await stage.removeObject(kinds.resourceQuotas, 'none');
    },
  ],
  [
    'has just been deployed by an upgrade',
    async (stage, name) => {
      await stage.editJob(name, edited);
      await stage.phase(name, 'clearing');
      await stage.until('it is deployed', () => stage.status(name).transition === undefined);
    },
  ],
  [
    'hangs in a savepoint that never ends',
    async (stage, name) => {
      stage.fail(name, { savepoints: { mode: 'never' } });
      await stage.editJob(name, edited);
      await stage.phase(name, 'suspending');
      await stage.clock.advance(60_000);
    },
  ],
];

/** Here Flink cannot be asked: the last place that it told of may have been given up for a newer one. */
const unasked = new Set(['has no JobManager', 'has a JobManager that cannot start']);

describe.each([true, false])('statelessRedeployNonce, with HA %s', (ha) => {
  it.each(states)('starts the job empty when it %s', async (state, arrange) => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application({ ha }));
    let before = Number.NaN;
    const redeploy = async (): Promise<void> => {
      before = stage.runs(name).length;
      await stage.editJob(name, { statelessRedeployNonce: 1 });
    };
    await arrange(stage, name, redeploy);
    if (Number.isNaN(before)) await redeploy();
    await stage.stable(name);
    stage.fail(name, {});
    await stage.clock.advance(30_000);

    const last = stage.lastRun(name);
    expect(last).toMatchObject({ from: 0, origin: { restoredFrom: undefined } });
    expect(last.to).toBeGreaterThan(200);
    expect(stage.runs(name).filter(({ isLive }) => isLive)).toHaveLength(1);
    expect(stage.runs(name).length).toBeLessThanOrEqual(before + 2);
    expect(stage.counted(name, [last])).toMatchObject({ lost: [], doubled: [] });

    const status = stage.status(name);
    expect(status.nonces?.statelessRedeploy).toBe(1);
    expect(status.reconciliationStatus?.lastStableSpec).toBe(status.reconciliationStatus?.lastReconciledSpec);
    expect(status.jobStatus).not.toHaveProperty('upgradeSavepointPath');
    expect(status).not.toHaveProperty('error');
    expect(status.droppedState).toBeDefined();
    expect(stage.condition(name, 'StateDropped')).toMatchObject({ status: 'True' });
    const [note, ...more] = await stage.events(name, 'StateDropped');
    expect(more).toEqual([]);
    const { location } = status.droppedState ?? {};
    if (location !== undefined) {
      expect(note).toContain(location);
      const there = stage.flink.storage.read(`${location}/_metadata`);
      if (!unasked.has(state)) expect(there, `what lies at ${location}`).toBeDefined();
    }
    expect(stage.resource(name)?.spec.job).toMatchObject({ upgradeMode: 'savepoint' });

    // HA metadata of the old job must not come back; what is there belongs to the new one.
    const jobIds = stage.haConfigMaps(name).flatMap((one) => /-([0-9a-f]{32})-config-map$/.exec(one)?.[1] ?? []);
    expect(jobIds.filter((id) => id !== last.origin.jobId)).toEqual([]);

    // The next upgrade follows the mode that the user wrote.
    const savepoints = stage.savepoints(name).length;
    await stage.editJob(name, { parallelism: 1 });
    await stage.stable(name);
    expect(stage.savepoints(name)).toHaveLength(savepoints + 1);
    expect(stage.lastRun(name).from).toBeGreaterThan(0);
    expect(stage.counted(name, stage.runs(name).slice(-2))).toMatchObject({ lost: [], doubled: [] });
  });
});

describe('statelessRedeployNonce', () => {
  it('in a suspended job is remembered, and acts when it resumes', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application({ ha: true }));
    await stage.editJob(name, { state: 'suspended' });
    await stage.lifecycle(name, 'SUSPENDED');
    await stage.editJob(name, { statelessRedeployNonce: 1 });
    await stage.clock.advance(60_000);
    expect(stage.runs(name)).toHaveLength(1);
    expect(stage.pods(name)).toEqual([]);
    await stage.editJob(name, { state: 'running' });
    await stage.stable(name);
    expect(stage.lastRun(name)).toMatchObject({ from: 0, origin: { restoredFrom: undefined } });
    const [location] = stage.savepoints(name);
    expect(stage.status(name).droppedState).toMatchObject({ location });
    expect(await stage.events(name, 'StateDropped')).toHaveLength(1);
  });

  it('set to 1, 2, 1 acts three times; set to 1, removed, set to 1 again it acts once', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application());
    const set = async (statelessRedeployNonce: number | null): Promise<void> => {
      await stage.editJob(name, { statelessRedeployNonce });
      await stage.stable(name);
      await stage.clock.advance(15_000);
    };
    for (const nonce of [1, 2, 1]) await set(nonce);
    expect(stage.runs(name)).toHaveLength(4);
    for (const nonce of [null, 1, null, 1]) await set(nonce);
    expect(stage.runs(name)).toHaveLength(4);
    expect(stage.counted(name)).toMatchObject({ startedEmpty: 3 });
  });

  it('ignores an initialSavepointPath that is left over, and brings an edit of the same moment along', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application());
    await stage.editJob(name, { initialSavepointPath: 's3://bucket/nowhere', ...edited, statelessRedeployNonce: 1 });
    await stage.stable(name);
    expect(stage.lastRun(name)).toMatchObject({ from: 0, origin: { label: 'edited', restoredFrom: undefined } });
    expect(stage.runs(name)).toHaveLength(2);
  });

  it('cannot be undone by a rollback', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const configuration = {
      'kubernetes.operator.deployment.rollback.enabled': 'true',
      'kubernetes.operator.deployment.readiness.timeout': '1 min',
    };
    const name = await stage.running(application({ ha: true, configuration, job: { upgradeMode: 'last-state' } }));
    stage.fail(name, { start: { mode: 'slow', ms: 5 * 60_000 } });
    await stage.editJob(name, { statelessRedeployNonce: 1 });
    await stage.clock.advance(4 * 60_000);
    expect(await stage.events(name, 'Rollback')).toEqual([]);
    await stage.stable(name);
    expect(stage.lastRun(name)).toMatchObject({ from: 0 });
  });
});

describe('both redeploy nonces in one edit', () => {
  const both = { savepointRedeployNonce: 3, statelessRedeployNonce: 4, initialSavepointPath: 's3://bucket/x' };

  it('are refused by the definition, with both values', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application());
    await expect(stage.editJob(name, both)).rejects.toThrow(
      /savepointRedeployNonce \(now 3\) and statelessRedeployNonce \(now 4\)/,
    );
  });

  it('are refused by the operator where the definition let them through, and the job keeps running', async () => {
    await using stage = await FlinkStage.open({ definitions: withoutRules });
    stage.start();
    const name = await stage.running(application());
    await stage.editJob(name, both);
    await stage.until('it is refused', () => stage.condition(name, 'Stalled')?.status === 'True');
    await stage.clock.advance(60_000);
    expect(stage.condition(name, 'Stalled')).toMatchObject({ reason: 'ValidationError' });
    expect(stage.status(name).error).toMatch(/savepointRedeployNonce.*3.*statelessRedeployNonce.*4/s);
    expect(await stage.events(name, 'ValidationError')).toHaveLength(1);
    expect(stage.runs(name)).toHaveLength(1);
    expect(stage.lastRun(name).isLive).toBe(true);
    // The way out is an edit that means one of them.
    await stage.editJob(name, { savepointRedeployNonce: null });
    await stage.stable(name);
    expect(stage.lastRun(name)).toMatchObject({ from: 0 });
    expect(stage.runs(name)).toHaveLength(2);
  });
});

/** As a definition of the upstream would be: with our fields, and without our rules. */
function withoutRules(ours: readonly AnyObject[]): readonly AnyObject[] {
  return JSON.parse(JSON.stringify(ours), (key, value) =>
    key === 'x-kubernetes-validations' ? undefined : value,
  ) as AnyObject[];
}
