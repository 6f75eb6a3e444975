import { flatConfig } from '../config/flink-config.ts';
import { flinkOptions } from '../config/flink-options.ts';
import { firstDeployment } from './first-deployment.ts';
import { type JobCase, type JobHolder, recordOf } from './job-case.ts';
import { noncesIn } from './nonces.ts';
import { told, warned } from './reasons.ts';
import { startedFrom } from './situation.ts';
import { type Status, withJob, without, withRecord } from './status.ts';
import type { Effect, Step } from './step.ts';
import { begin } from './transition/begin.ts';

const overridesKey = flinkOptions.parallelismOverrides.key;

/**
 * A case as if we had deployed it ourselves. What another operator deployed has no nonces of ours in its status: those of
 * the deployed spec were acted upon. Nothing else is imported; its objects are known by owner, not by our marks.
 */
export function imported(c: JobCase): { readonly c: JobCase; readonly events: readonly Effect[] } {
  const kept = keptOverrides(c);
  const spec = kept === undefined ? c.spec : withOverrides(c.spec, kept);
  if (!c.recorded || c.status.nonces) return { c: { ...c, spec }, events: [] };
  const status = { ...c.status, nonces: noncesIn(c.recorded.spec) };
  const warning =
    kept === undefined
      ? []
      : [
          warned(
            c.resource,
            'TakenOver',
            `The autoscaler of the operator before had set ${overridesKey} to ${kept}. It stays so until the spec says otherwise; Cutover does not scale by itself yet.`,
          ),
        ];
  const events = [told(c.resource, 'TakenOver', 'What another operator deployed is taken over as it is.'), ...warning];
  return { c: { ...c, spec, status }, events };
}

/** What an autoscaler had set in what is deployed, while the user's spec leaves it to the autoscaler. */
function keptOverrides(c: JobCase): string | undefined {
  const written = flatConfig(c.spec.flinkConfiguration);
  const scaled = written.get('job.autoscaler.enabled')?.trim().toLowerCase() === 'true';
  if (!scaled || !c.recorded || written.has(overridesKey)) return undefined;
  return flatConfig(c.recorded.spec.flinkConfiguration).get(overridesKey);
}

function withOverrides(spec: JobHolder, overrides: string): JobHolder {
  return { ...spec, flinkConfiguration: { ...spec.flinkConfiguration, [overridesKey]: overrides } };
}

/**
 * Another operator stopped in the middle of an upgrade.
 *
 * | what is found | what happens |
 * | --- | --- |
 * | the Deployment of the new spec, or the submitted job | it counts as deployed |
 * | a first deployment that came to nothing | it begins anew |
 * | a job that is being cancelled | it is waited for, then carried over |
 * | anything else | the job is started from what was recorded |
 */
export function halfDone(c: JobCase): Step<Status> | undefined {
  const { state } = c.status.reconciliationStatus ?? {};
  if (c.status.transition || !c.recorded || (state !== 'UPGRADING' && state !== 'ROLLING_BACK')) return undefined;
  if (isDeployed(c)) return countedAsDeployed(c, c.recorded.spec);
  if (c.is === 'session job' && c.jobManager.status !== 'READY') {
    const because = 'Another operator had begun an upgrade; whether its job runs is known when the session answers.';
    return { status: c.status, effects: [], because, stands: { is: 'waiting', reason: 'TakenOver' } };
  }
  if (c.recorded.firstDeployment) {
    const fresh = withRecord(c.status, {});
    const status = { ...fresh, reconciliationStatus: without(fresh.reconciliationStatus ?? {}, 'lastReconciledSpec') };
    return firstDeployment({ ...c, recorded: undefined, status });
  }
  const restore = startedFrom(c);
  const cancelling = c.status.jobStatus?.state === 'CANCELLING';
  return begin(c, {
    cause: state === 'ROLLING_BACK' && c.stable ? 'rollback' : 'spec-change',
    because: 'Another operator had begun an upgrade; it is finished.',
    stop: cancelling && restore.mode !== 'stateless' ? 'cancel' : cancelling ? 'stateless' : 'none',
    restore,
    events: [],
  });
}

function isDeployed(c: JobCase): boolean {
  if (c.is === 'session job') {
    const job = c.rest.jobs?.value.find(({ id }) => id === c.status.jobStatus?.jobId);
    return job !== undefined && job.state !== 'CANCELLING' && job.state !== 'CANCELED';
  }
  const { jobManager } = c.cluster;
  if (!jobManager?.owners.includes(c.uid) || jobManager.terminating) return false;
  return jobManager.generation === c.status.observedGeneration;
}

function countedAsDeployed(c: JobCase, spec: JobHolder): Step<Status> {
  const running = { ...spec, job: { ...spec.job, state: 'running' as const } };
  const record = {
    state: 'DEPLOYED',
    lastReconciledSpec: recordOf(c, running, c.recorded?.firstDeployment ?? false),
  } as const;
  const status = withRecord(withJob(c.status, { state: 'RECONCILING' }), record);
  return { status, effects: [], because: 'What another operator had begun to deploy is there.' };
}
