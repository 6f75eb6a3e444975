import type { Instant } from '../../../clock/clock.ts';
import { parseDuration } from '../../config/duration.ts';
import { nextMatch, parseQuartz, type Quartz, type Refused } from './quartz.ts';

/** When something is done again and again. */
export type Period = { readonly everyMs: number } | { readonly at: Quartz };

/** Reads a duration or a Quartz cron expression; `undefined` when the text is empty: then it is never done. */
export function parsePeriod(text: string): Period | Refused | undefined {
  if (text.trim() === '') return undefined;
  const everyMs = parseDuration(text);
  if (everyMs !== undefined) {
    return everyMs > 0 ? { everyMs } : { problem: `"${text}" is no time: write a duration above zero, such as "6 h"` };
  }
  const cron = parseQuartz(text);
  if (!('problem' in cron)) return { at: cron };
  return {
    problem: `"${text}" is neither a duration ("6 h") nor a Quartz cron expression ("0 0 3 * * ?"): ${cron.problem}`,
  };
}

/** When it is due again, after it was done at `last`; `undefined` when never. */
export function dueAfter(period: Period, last: Instant): Instant | undefined {
  return 'everyMs' in period ? last + period.everyMs : nextMatch(period.at, last);
}
