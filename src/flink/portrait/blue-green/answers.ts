import type { Answers } from '../../../portrait/portrait.ts';
import { childName } from '../../manifests/blue-green-child.ts';
import { typed } from '../command.ts';
import { aside, found, refusal } from '../findings.ts';
import { sentence, sinceText } from '../wording.ts';
import type { BlueGreenLook } from './blue-green-look.ts';
import { moments, word } from './moments.ts';

/** The five answers. Never empty, and the first always names a side. */
export function answersOf(l: BlueGreenLook, now: number): Answers {
  const told = moments[l.moment];
  const answers = {
    serves: serves(l, now),
    changing: told.changing(l).trim(),
    progress: told.progress(l, now).trim(),
    ifStopped: told.ifStopped(l).trim(),
    next: told.next(l, now).trim(),
  };
  return leftAlone(l, refusedEdit(l, answers));
}

function serves(l: BlueGreenLook, now: number): string {
  const { serving, status, moment, subject } = l;
  if (serving === undefined) {
    return moment === 'suspended'
      ? 'Nothing serves: blue is to be made suspended.'
      : 'Nothing serves yet: blue will be the first side.';
  }
  const color = word(serving);
  if (moment === 'suspended') return `Nothing serves: ${color} is suspended, as specified.`;
  const name = status.serving?.color === serving ? status.serving.name : childName(subject.name, serving);
  if (l.down) return `Nothing serves: traffic is led to ${color}, and ${what(l)}`;
  const since = status.serving?.color === serving ? sinceText(status.serving.since, now) : undefined;
  return `${color} serves (FlinkDeployment ${name})${since === undefined ? '' : `, for ${since}`}.`;
}

function what({ status }: BlueGreenLook): string {
  const message = found(status, 'Available')?.message ?? 'it is not ready';
  return message.endsWith('.') ? message : `${message}.`;
}

/** What is written is refused: that comes on top of whatever goes on. */
function refusedEdit({ status }: BlueGreenLook, answers: Answers): Answers {
  const why = refusal(status);
  if (why === undefined) return answers;
  return {
    ...answers,
    changing: `The specification as it is written is refused: ${sentence(why)} The last accepted one holds.`,
    next: 'Correct the specification; nothing of it is acted upon until then.',
  };
}

/** Cutover stands aside: nothing gets on, whatever the record says. */
function leftAlone({ status, subject }: BlueGreenLook, answers: Answers): Answers {
  const why = aside(status);
  if (!why) return answers;
  const next =
    why.type === 'Paused' ? `To go on: ${typed('resume', subject)}.` : sentence(why.message || 'Cutover stands aside');
  return {
    ...answers,
    progress: `Nothing gets on: ${sentence(why.message || why.reason)} Before that: ${answers.progress}`,
    next,
  };
}
