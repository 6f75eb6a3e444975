import type { PastChange } from '../../../portrait/portrait.ts';
import { brief } from '../wording.ts';
import type { BlueGreenLook } from './blue-green-look.ts';
import { word } from './moments.ts';

/** The last transitions, the newest first. */
export function pastOf({ status }: BlueGreenLook): readonly PastChange[] {
  return (status.history ?? []).map((entry): PastChange => {
    const { id, because, from, to, outcome, reason, startedAt, endedAt, restoredFrom, steps = [] } = entry;
    const info = [
      ...(reason === undefined ? [] : [brief(reason)]),
      ...(restoredFrom === undefined ? [] : [`${word(to)} started from ${restoredFrom}`]),
    ].join(' ');
    return {
      id,
      what: from ? `${word(from)} → ${word(to)}` : `${word(to)}, the first deployment`,
      because: brief(because),
      outcome,
      // Whoever takes an edit back, or gives it up, has got what they wanted.
      good: outcome !== 'aborted',
      startedAt,
      endedAt,
      steps: steps.map(({ phase, startedAt: at }) => ({ name: phase, startedAt: at })),
      ...(info !== '' && { info }),
    };
  });
}
