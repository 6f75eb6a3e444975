import type { PastChange, Portrait } from '../../../portrait/portrait.ts';
import { ageSince } from '../../../portrait/text/age.ts';
import { duration } from '../../../portrait/text/duration.ts';
import { type Cell, grid } from './grid.ts';
import type { Line } from './line.ts';

/** The last changes, the newest first; `wide` also tells how long each step took. */
export function historyLines({ history }: Portrait, now: number, wide: boolean): readonly Line[] {
  const rows = history.map((past): readonly Cell[] => [
    ageSince(past.startedAt, now),
    past.what,
    { text: `${past.good ? '✔' : '✖'} ${past.outcome}`, tone: past.good ? 'healthy' : 'degraded' },
    took(past),
    past.because,
    past.info ?? '',
    ...(wide ? [stepsOf(past)] : []),
  ]);
  return grid(rows, ['AGO', 'WHAT', 'OUTCOME', 'TOOK', 'BECAUSE', 'INFO', ...(wide ? ['STEPS'] : [])]);
}

function took({ startedAt, endedAt }: PastChange): string {
  const ms = Date.parse(endedAt ?? '') - Date.parse(startedAt ?? '');
  return Number.isNaN(ms) ? '' : duration(ms);
}

/** `savepoint 3.4s, start 38s`: each until the next begins, the last until the end. */
function stepsOf({ steps, endedAt }: PastChange): string {
  return steps
    .map(({ name, startedAt }, index) => {
      const ms = Date.parse(steps[index + 1]?.startedAt ?? endedAt ?? '') - Date.parse(startedAt);
      return Number.isNaN(ms) ? name : `${name} ${duration(ms)}`;
    })
    .join(', ');
}
