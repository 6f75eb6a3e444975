import type { AnyObject } from '../../../kube/object.ts';
import type { Phase, Summary } from '../../../portrait/summary.ts';
import { flinkBlueGreenDeployment } from '../../resources/flink-blue-green-deployment.ts';
import { typed } from '../command.ts';
import { aside, found, holds, refusal } from '../findings.ts';
import { sentence } from '../wording.ts';
import { type JobLook, jobLook, type Moment } from './job-look.ts';
import { error, standing } from './moments.ts';

export function summarizeJob(object: AnyObject): Summary {
  return summaryOf(jobLook(object));
}

export function summaryOf(l: JobLook): Summary {
  const { resource, subject, lifecycle, transition, partOf } = l;
  const needsYou = needs(l);
  const since = transition?.startedAt ?? found(l.status, 'Ready')?.lastTransitionTime;
  const createdAt = resource.metadata.creationTimestamp;
  return {
    subject,
    phase: phaseOf(l),
    ...(lifecycle !== undefined && { state: lifecycle }),
    headline: headline(l),
    serving: servingText(l),
    inTransition: transition !== undefined,
    ...(needsYou !== undefined && { needsYou }),
    ...(partOf !== undefined && { partOf: { kind: flinkBlueGreenDeployment.type.kind, name: partOf } }),
    ...(since !== undefined && { since }),
    ...(createdAt !== undefined && { createdAt }),
  };
}

function servingText({ serves, is, resource, moment }: JobLook): string {
  if (!serves) return 'nothing';
  if (is === 'session') return 'the session cluster';
  const { parallelism } = resource.spec.job ?? {};
  // What is written is what runs only when nothing is under way.
  return moment === 'stable' && parallelism !== undefined ? `the job, parallelism ${parallelism}` : 'the job';
}

/** How each moment counts while nothing is wrong. */
const phases: Readonly<Record<Moment, Phase>> = {
  deleting: 'deleting',
  new: 'unknown',
  settling: 'progressing',
  stable: 'healthy',
  finished: 'healthy',
  suspended: 'suspended',
  restarting: 'failed',
  'rolled-back': 'degraded',
  failed: 'failed',
  pending: 'progressing',
  suspending: 'progressing',
  clearing: 'progressing',
  starting: 'progressing',
  rescaling: 'progressing',
};

function phaseOf(l: JobLook): Phase {
  const { moment, status, serves } = l;
  if (moment === 'deleting') return 'deleting';
  const why = aside(status);
  if (why) return why.type === 'Paused' ? 'paused' : 'waiting';
  if (refusal(status) !== undefined) return serves || moment === 'suspended' ? 'degraded' : 'failed';
  if (moment === 'new') return holds(status, 'Stalled') ? 'failed' : status.lifecycleState ? 'progressing' : 'unknown';
  if (moment === 'failed' && serves) return 'degraded';
  return phases[moment];
}

function headline(l: JobLook): string {
  const { status, moment, transition } = l;
  const why = aside(status);
  if (moment === 'deleting') return 'It is being deleted; its cluster goes with it.';
  if (why) return sentence(why.message || why.reason);
  const refused = refusal(status);
  if (refused !== undefined) return `The specification is refused: ${sentence(refused)}`;
  if (moment === 'new' && !found(status, 'Ready')) return 'It was not looked at yet.';
  if (transition) return `${transition.phase}: ${sentence(transition.because)}`;
  return moment === 'failed' || moment === 'restarting' ? error(l) || standing(l) : standing(l);
}

/** Why a person is needed, and what they can do. */
function needs(l: JobLook): string | undefined {
  const { status, moment, subject, transition, partOf } = l;
  if (moment === 'deleting') return undefined;
  const why = aside(status);
  if (why) return why.type === 'Paused' ? undefined : sentence(why.message || why.reason);
  const refused = refusal(status);
  if (refused !== undefined) return `The specification is refused: ${sentence(refused)} Correct it.`;
  if (partOf !== undefined) return undefined;
  if (transition?.stop.failures) {
    const told = sentence(transition.stop.error ?? 'it does not say why');
    const what = transition.stop.mode === 'savepoint' ? 'Its savepoint fails' : 'It cannot be stopped';
    return `${what}: ${told} Mend that, or drop the state: ${typed('restart', subject, ' --stateless')}.`;
  }
  if (moment === 'rolled-back') {
    return `The new specification was rolled back. Correct it, or the same once more: ${typed('retry', subject)}.`;
  }
  if (moment === 'failed') return `${error(l) || standing(l)} Correct it, or: ${typed('retry', subject)}.`;
  return undefined;
}
