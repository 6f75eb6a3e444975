import type { Summary } from '../../../portrait/summary.ts';
import type { Page } from '../../../portrait/wire.ts';
import type { Line } from './line.ts';
import { phaseMark, stepMark } from './marks.ts';
import { timeOfDay } from './steps.ts';

/** What is different since the page before, a line each. */
export function newsLines(before: Page, after: Page, now: number): readonly Line[] {
  const at = `${timeOfDay(new Date(now).toISOString())}  `;
  const old = new Map(before.portrait.steps.map((step) => [step.name, step.status]));
  const steps = after.portrait.steps
    .filter(({ name, status }) => status !== 'pending' && old.get(name) !== status)
    .map(({ title, status, info }): Line => {
      const { sign, word, tone } = stepMark(status);
      return [{ text: at }, { text: `${sign} ${title}: ${word}`, tone }, { text: info ? `, ${info}` : '' }];
    });
  const said = statusLine(after.portrait);
  return statusLine(before.portrait).text === said.text ? steps : [...steps, [{ text: at }, said]];
}

/** How a workload is, on one line. */
export function statusLine({ phase, state, headline, needsYou }: Summary): ReturnType<typeof phaseMark> {
  const word = state !== undefined && state.toLowerCase() !== phase ? `${phase} (${state})` : phase;
  const need = needsYou === undefined || needsYou === headline ? '' : `; ${needsYou}`;
  return phaseMark(phase, `${word}: ${headline}${need}`);
}
