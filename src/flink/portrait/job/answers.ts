import type { Answers } from '../../../portrait/portrait.ts';
import { typed } from '../command.ts';
import { aside, refusal } from '../findings.ts';
import { sentence } from '../wording.ts';
import type { JobLook } from './job-look.ts';
import { moments, standing, thing } from './moments.ts';

/** The five answers. Never empty. */
export function answersOf(l: JobLook, now: number): Answers {
  const told = moments[l.moment];
  const answers = {
    serves: serves(l),
    changing: told.changing(l).trim(),
    progress: told.progress(l, now).trim(),
    ifStopped: told.ifStopped(l).trim(),
    next: told.next(l).trim(),
  };
  return leftAlone(l, spokenFor(l, refusedEdit(l, answers)));
}

function serves(l: JobLook): string {
  const { is, status, moment, subject } = l;
  const name = `${subject.kind} ${subject.name}`;
  if (l.serves) {
    const { jobId } = status.jobStatus ?? {};
    return is === 'session'
      ? `${name}: its JobManager answers.`
      : `${name}: its job runs${jobId ? ` (${jobId})` : ''}.`;
  }
  if (moment === 'suspended') return `Nothing serves: ${name} is suspended, as specified.`;
  if (moment === 'finished') return `Nothing serves: the job of ${name} has finished.`;
  const state = is === 'session' ? status.jobManagerDeploymentStatus : l.job;
  return `Nothing serves: ${thing(l)} of ${name} is ${state ?? 'not there yet'}.`;
}

function refusedEdit({ status, resource }: JobLook, answers: Answers): Answers {
  const why = refusal(status);
  if (why === undefined) return answers;
  const holds = resource.status?.reconciliationStatus?.lastReconciledSpec ? ' What is deployed goes on as it is.' : '';
  return {
    ...answers,
    changing: `The specification as it is written is refused: ${sentence(why)}${holds}`,
    next: 'Correct the specification; nothing of it is acted upon until then.',
  };
}

function spokenFor({ partOf, subject }: JobLook, answers: Answers): Answers {
  if (partOf === undefined) return answers;
  const { namespace } = subject;
  return {
    ...answers,
    next: `It is a side of FlinkBlueGreenDeployment ${partOf}: steer that, and see \`cutover status bluegreen/${partOf} -n ${namespace}\`.`,
  };
}

/** Cutover stands aside: nothing gets on, whatever the record says. */
function leftAlone(l: JobLook, answers: Answers): Answers {
  const why = aside(l.status);
  if (!why) return answers;
  const told = sentence(why.message || why.reason || 'Cutover stands aside');
  return {
    ...answers,
    progress: `Nothing gets on: ${told} Before that: ${standing(l)}`,
    next: why.type === 'Paused' ? `To go on: ${typed('resume', l.subject)}.` : told,
  };
}
