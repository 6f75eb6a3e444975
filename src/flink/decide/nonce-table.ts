import type { Decision } from '../../control/decision.ts';
import type { FlinkDeploymentSpec } from '../resources/flink-deployment.ts';
import type { JobSpec } from '../resources/job-spec.ts';
import type { Transition } from '../resources/transition.ts';
import type { DeploymentView } from '../view.ts';
import { type Canonical, canonicalJob, canonicalStop, canonicalSuspension, canonicalView } from './canonical-view.ts';
import { decideDeployment } from './deployment.ts';
import type { Status } from './status.ts';

/** A row of the table (job state × nonce → what happens). */
export interface NonceRow {
  readonly state: string;
  readonly nonce: string;
  /** What the decision on a job in this state says about a new value of this nonce. */
  readonly happens: string;
}

/** The states in which a nonce may find a job. */
const states: Readonly<Record<string, Partial<Canonical>>> = {
  running: {},
  restarting: { flink: 'RESTARTING' },
  failed: { flink: 'FAILED', status: { jobStatus: ended('FAILED') } },
  finished: { flink: 'FINISHED', status: { jobStatus: ended('FINISHED') } },
  'JobManager missing': { jobManager: 'gone' },
  'in an upgrade that waits for its savepoint': { status: { transition: canonicalStop() } },
  suspended: {
    jobManager: 'gone',
    recorded: { state: 'suspended', upgradeMode: 'savepoint' },
    status: canonicalSuspension(),
  },
};

const nonces: Readonly<Record<string, (spec: FlinkDeploymentSpec) => FlinkDeploymentSpec>> = {
  restartNonce: (spec) => ({ ...spec, restartNonce: 1 }),
  savepointTriggerNonce: withJob({ savepointTriggerNonce: 1 }),
  checkpointTriggerNonce: withJob({ checkpointTriggerNonce: 1 }),
  savepointRedeployNonce: withJob({ savepointRedeployNonce: 1, initialSavepointPath: 's3://bucket/mine' }),
  statelessRedeployNonce: withJob({ statelessRedeployNonce: 1 }),
  autoscalerResetNonce: withJob({ autoscalerResetNonce: 1 }),
};

/**
 * What a new value of each nonce does in each state of a job with `upgradeMode: savepoint`, told by the very decisions
 * that do it. The docs are generated from this.
 */
export function nonceTable(): readonly NonceRow[] {
  return Object.entries(states).flatMap(([state, found]) =>
    Object.entries(nonces).map(([nonce, edit]) => {
      const view = canonicalView(found, edit);
      return { state, nonce, happens: told(view, nonce, decideDeployment(view)) };
    }),
  );
}

const stops: Readonly<Record<Transition['stop']['mode'], string>> = {
  none: 'nothing is left to stop',
  stateless: 'the job is cancelled',
  savepoint: 'the job is stopped with a savepoint',
  cancel: 'the job is cancelled and its last checkpoint kept',
  'last-state': 'the cluster is removed, its recovery metadata kept',
};

function told({ resource }: DeploymentView, nonce: string, { actions, because }: Decision): string {
  const written = actions.find((action) => action.do === 'status')?.status as Status | undefined;
  const made = actions.find((action) => action.do === 'create' && action.object.kind === 'FlinkStateSnapshot');
  if (made) return 'a FlinkStateSnapshot is made, which takes it';
  const [last] = written?.history ?? [];
  if (last?.outcome === 'suspended') {
    const path = written?.jobStatus?.upgradeSavepointPath;
    return `remembered: on resumption the job starts ${path === undefined ? 'without state' : `from ${shown(path)}`}`;
  }
  const { transition } = written ?? {};
  const later = nonce.endsWith('TriggerNonce') ? 'acted upon as soon as the job runs' : undefined;
  if (!transition || transition.id === resource.status?.transition?.id) {
    if (transition) return `the upgrade goes on; ${later ?? 'the new value is taken up with its spec'}`;
    if (later) return later;
    const pending = written?.observedGeneration !== resource.metadata.generation;
    return pending ? because : 'recorded; nothing else happens';
  }
  const recovered =
    transition.cause === 'recovery' ? `the job is recovered; ${later ?? 'the value is recorded'}: ` : '';
  const { mode, path } = transition.restore;
  const from = {
    stateless: 'a new one starts without state',
    savepoint: `a new one starts from ${path === undefined ? 'that savepoint' : shown(path)}`,
    'last-state': 'a new one goes on from its last checkpoint',
  }[mode];
  return `${recovered}${stops[transition.stop.mode]}; ${from}`;
}

function shown(path: string): string {
  return path === 's3://bucket/mine' ? 'initialSavepointPath' : 'its last state';
}

/** When a job has ended, its last state is known. */
function ended(state: 'FAILED' | 'FINISHED'): NonNullable<Status['jobStatus']> {
  return { ...canonicalJob(state), upgradeSavepointPath: 's3://bucket/checkpoints/chk-7' };
}

function withJob(change: Partial<JobSpec>): (spec: FlinkDeploymentSpec) => FlinkDeploymentSpec {
  return (spec) => ({ ...spec, job: { ...spec.job, ...change } });
}
