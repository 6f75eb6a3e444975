import { flinkCall } from '../../calls.ts';
import type { FlinkDeploymentSpec } from '../../resources/flink-deployment.ts';
import { instantOf, instantText } from '../instant-text.ts';
import { changeOf, recordOf } from '../job-case.ts';
import { remembered, withActedNonces } from '../nonces.ts';
import { taskManagersOf } from '../plan.ts';
import { told } from '../reasons.ts';
import { canRescale } from '../rescale.ts';
import { overridesIn } from '../situation.ts';
import { specChanged } from '../spec-changed.ts';
import { ended, type Status, withRecord } from '../status.ts';
import type { Step } from '../step.ts';
import { stopForUpgrade } from '../stop-for-upgrade.ts';
import type { Moving } from './advance.ts';
import { withState } from './starting.ts';

/** So long is waited for Flink to say how parallel the job is, or to be told. */
const patienceMs = 60_000;

/**
 * The job runs on while its parallelism changes. Should that not work, it is upgraded like after any other change; and so
 * it is when a newer spec asks for more than another parallelism.
 */
export function rescaling(c: Moving): Step<Status> {
  const { recorded } = c;
  if (demandOf(c) === 'more') return overtaken(c);
  if (isOutdated(c) && recorded && !canRescale(c, recorded.spec)) return fallBack(c, 'the spec changed again');
  const standalone = 'mode' in c.spec && c.spec.mode === 'standalone';
  return standalone ? scalingTaskManagers(c) : tellingFlink(c);
}

/** What the newest spec asks for, compared with what was deployed before it was rescaled. */
function demandOf(c: Moving): 'nothing' | 'scale' | 'more' {
  if (!c.recorded) return 'more';
  const { type } = changeOf(c, withActedNonces(c.recorded.spec, c.status.nonces), c.spec);
  if (type === 'IGNORE') return 'nothing';
  return type === 'SCALE' ? 'scale' : 'more';
}

function isOutdated({ status, generation }: Moving): boolean {
  return status.transition.generation !== generation;
}

/** Nothing was recorded yet, so the newest spec is compared with what was deployed before. */
function overtaken(c: Moving): Step<Status> {
  const because = 'The spec changed again while the job was being rescaled.';
  const status = ended(c.status, `superseded: ${because}`, instantText(c.now));
  return specChanged({ ...c, status }) ?? { status, effects: [], because };
}

function scalingTaskManagers(c: Moving): Step<Status> {
  const { taskManager } = c.cluster;
  const replicas = taskManagersOf(c, c.spec as FlinkDeploymentSpec);
  if (!taskManager || taskManager.terminating) return fallBack(c, 'its TaskManagers are gone');
  if (taskManager.replicas === replicas) return rescaled(c, []);
  return {
    status: c.status,
    effects: [
      { do: 'patch', of: taskManager.ref, patch: [{ op: 'replace', path: '/spec/replicas', value: replicas }] },
    ],
    because: `The TaskManagers are scaled from ${taskManager.replicas} to ${replicas}.`,
  };
}

function tellingFlink(c: Moving): Step<Status> {
  const { stop, phaseStartedAt } = c.status.transition;
  const until = (instantOf(phaseStartedAt) ?? c.now) + patienceMs;
  const { requirements } = c.rest.job;
  const jobId = c.status.jobStatus?.jobId;
  const outcome = stop.callId === undefined ? undefined : c.outcomes[stop.callId];
  if (jobId === undefined || stop.callId === undefined) return fallBack(c, 'it has no id');
  if (outcome?.result === 'refused') return fallBack(c, outcome.message);
  if (c.now >= until) return fallBack(c, 'Flink did not answer in time');
  const because = 'The job is being rescaled in place.';
  if (!requirements) return { status: c.status, effects: [], because, wakeAt: until };
  const overrides = overridesIn(c.spec);
  const wanted = Object.entries(requirements.value).map(([vertex, { lower, upper }]) => {
    const asked = Number(overrides.get(vertex) ?? upper);
    const bound = Number.isSafeInteger(asked) && asked > 0 ? asked : upper;
    return [vertex, { lower: Math.min(bound, lower), upper: bound }] as const;
  });
  const there = wanted.every(([vertex, { upper }]) => requirements.value[vertex]?.upper === upper);
  if (there || outcome?.result === 'done') {
    return rescaled(c, [told(c.resource, 'Scaling', 'In-place scaling of the job was applied.')]);
  }
  const call = flinkCall('rescale', stop.callId, {
    cluster: c.address,
    jobId,
    requirements: Object.fromEntries(wanted),
  });
  return { status: c.status, effects: [call], because, wakeAt: until };
}

/** The new spec is deployed, without anything having been stopped. */
function rescaled(c: Moving, effects: Step<Status>['effects']): Step<Status> {
  const text = recordOf(c, withState(c.spec, 'running', c.status.transition.restore.mode), false);
  const over = ended(c.status, 'rescaled in place', instantText(c.now));
  const record = { state: 'DEPLOYED', lastReconciledSpec: text, reconciliationTimestamp: c.now } as const;
  const replicas = taskManagersOf(c, c.spec as FlinkDeploymentSpec);
  const taskManager = { ...over.taskManager, replicas };
  const status = withRecord({ ...over, taskManager, nonces: remembered(over.nonces, c.spec) }, record);
  return {
    status: { ...status, observedGeneration: c.generation },
    effects,
    because: 'The job was rescaled in place.',
  };
}

function fallBack(c: Moving, why: string): Step<Status> {
  const status = ended(c.status, `not rescaled in place: ${why}`, instantText(c.now));
  // What was to be changed was taken back, or refused: nobody is restarted for that.
  if (demandOf(c) === 'nothing' && !isOutdated(c))
    return { status, effects: [], because: 'Nothing is to be rescaled.' };
  const note = `The job could not be rescaled in place (${why}); it is upgraded instead.`;
  return stopForUpgrade({ ...c, status }, note, [told(c.resource, 'Scaling', note)]);
}
