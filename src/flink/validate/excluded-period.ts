import { parseQuartz } from '../decide/snapshots/quartz.ts';

const timeOfDay = /^([01]?\d|2[0-3]):([0-5]\d)$/;

/**
 * Why a text is no period of rest of the autoscaler: `9:30-10:30`, a cron expression whose matches are the times of rest,
 * or one of each joined by `&&`.
 */
export function excludedPeriodFault(text: string): string | undefined {
  const parts = text.split('&&').map((part) => part.trim());
  if (parts.length > 2) return 'it joins more than a time of day and a cron expression';
  for (const part of parts) {
    const fault = /^[\d:]+\s*-\s*[\d:]+$/.test(part) ? dailyFault(part) : cronFault(part);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function dailyFault(part: string): string | undefined {
  const ends = part.split('-').map((end) => timeOfDay.exec(end.trim()));
  const [from, to] = ends.map((end) => end && Number(end[1]) * 60 + Number(end[2]));
  if (from == null || to == null) return `"${part}" is not two times of day, such as 9:30-10:30`;
  return from < to ? undefined : `"${part}" ends before it begins; split it at midnight`;
}

function cronFault(part: string): string | undefined {
  const cron = parseQuartz(part);
  return 'problem' in cron ? cron.problem : undefined;
}
