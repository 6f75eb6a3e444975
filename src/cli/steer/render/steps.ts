import type { Step } from '../../../portrait/portrait.ts';
import { countdown, duration } from '../../../portrait/text/duration.ts';
import { grid } from './grid.ts';
import type { Line } from './line.ts';
import { stepMark } from './marks.ts';

/** What a change goes through, with how long each step took or takes so far. */
export function stepLines(steps: readonly Step[], now: number): readonly Line[] {
  if (steps.length === 0) return [];
  const rows = steps.map((step, index) => {
    const { sign, word, tone } = stepMark(step.status);
    return [
      { text: `${sign} ${index + 1} ${step.title}`, tone },
      { text: word, tone },
      timeOfDay(step.startedAt),
      took(step, now),
      step.info ?? '',
    ];
  });
  return grid(rows, ['STEP', 'STATUS', 'BEGAN', 'TOOK', 'INFO']);
}

function took({ status, startedAt, endedAt }: Step, now: number): string {
  const start = Date.parse(startedAt ?? '');
  const end = Date.parse(endedAt ?? '');
  if (Number.isNaN(start)) return '';
  if (!Number.isNaN(end)) return duration(end - start);
  return status === 'current' ? `${countdown(now - start)} …` : '';
}

/** `14:02:59` in UTC, as in logs. */
export function timeOfDay(time: string | undefined): string {
  const at = Date.parse(time ?? '');
  return Number.isNaN(at) ? '' : new Date(at).toISOString().slice(11, 19);
}
