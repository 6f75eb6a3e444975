import { effectiveConfig } from '../config/effective-config.ts';
import { flatConfig } from '../config/flink-config.ts';
import { flinkOptions } from '../config/flink-options.ts';
import { highAvailability } from '../config/high-availability.ts';
import { operatorOptions } from '../config/operator-options.ts';
import { read } from '../config/option.ts';
import { lastStateOnly } from '../manifests/deploy-config.ts';
import type { Restore, Situation } from './availability.ts';
import type { JobCase } from './job-case.ts';

/** What decides how the job of this case can be upgraded. */
export function situation(c: JobCase): Situation {
  const { status, recorded, rest, cluster, config } = c;
  const { state, startTime, upgradeSavepointPath } = status.jobStatus ?? {};
  const jobManager = c.jobManager.status;
  const started = Number(startTime ?? Number.NaN);
  return {
    is: c.is,
    desired: c.spec.job.upgradeMode ?? 'stateless',
    job: state,
    reachable: jobManager === 'READY',
    jobManagerGone: jobManager === 'MISSING' || jobManager === 'ERROR',
    neverStarted: neverStarted(c),
    haEnabled: [highAvailability(config), highAvailability(wantedConfig(c))].every((ha) => ha !== 'none'),
    haAvailable: c.is === 'application' && cluster.ha.available,
    zooKeeper: highAvailability(config) === 'zookeeper',
    versionChanged: versionOf(recorded?.spec) !== versionOf(c.spec),
    startedFrom: startedFrom(c),
    path: upgradeSavepointPath,
    savepointDirectory: read(config, flinkOptions.savepointsDirectory),
    options: {
      lastStateFallback: read(config, operatorOptions.lastStateFallback),
      maxCheckpointAgeMs: read(config, operatorOptions.maxCheckpointAge),
      cancelForLastState: read(config, operatorOptions.lastStateJobCancel),
    },
    checkpoints: rest.job.checkpoints?.value,
    jobStartedAt: Number.isFinite(started) ? started : undefined,
    now: c.now,
  };
}

/** What the deployed job was started from: the recorded mode is the one it was restored by. */
export function startedFrom(c: JobCase): Restore {
  const mode = c.recorded?.spec.job.upgradeMode ?? 'stateless';
  const path = pathBefore(c);
  if (path === lastStateOnly) return { mode: 'last-state' };
  return path === undefined ? { mode } : { mode, path };
}

/**
 * Where the state lies that the deployed job was started from, or `lastStateOnly`: it is its state until it has completed
 * a checkpoint of its own. `undefined` when it was started empty.
 */
export function pathBefore({ recorded, status }: JobCase): string | undefined {
  const mode = recorded?.spec.job.upgradeMode ?? 'stateless';
  return mode === 'stateless' ? undefined : status.jobStatus?.upgradeSavepointPath;
}

/**
 * Nothing of the job has ever run: no pod of the JobManager became ready since its Deployment was made, or the
 * session job was never seen in its session.
 */
function neverStarted(c: JobCase): boolean {
  const seen = c.status.jobStatus?.startTime !== undefined;
  if (c.is === 'session job') return !seen && c.status.reconciliationStatus?.state !== 'DEPLOYED';
  const { jobManager } = c.cluster;
  if (seen || !jobManager || !jobManager.owners.includes(c.uid)) return false;
  const available = jobManager.conditions.find(({ type }) => type === 'Available');
  return available === undefined
    ? jobManager.available === 0
    : available.status === 'False' && (available.lastTransitionAt ?? 0) <= jobManager.createdAt + 1000;
}

function wantedConfig(c: JobCase) {
  const namespace = c.resource.metadata.namespace ?? 'default';
  return effectiveConfig(c.view.operator, { namespace, flinkVersion: versionOf(c.spec) }, c.spec.flinkConfiguration);
}

/** A session job has the version of its cluster. */
export function versionOf(spec: JobCase['spec'] | undefined): string | undefined {
  return spec && 'flinkVersion' in spec ? spec.flinkVersion : undefined;
}

/** The parallelism of single vertices that a spec asks for. */
export function overridesIn(spec: JobCase['spec']): ReadonlyMap<string, string> {
  return read(flatConfig(spec.flinkConfiguration), flinkOptions.parallelismOverrides);
}
