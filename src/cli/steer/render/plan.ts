import type { FieldChange, Plan, PlannedRestart, PlannedStep, Risk } from '../../../portrait/plan.ts';
import { duration } from '../../../portrait/text/duration.ts';
import { grid } from './grid.ts';
import { labelled } from './labelled.ts';
import { type Frame, heading, type Line, type Tone } from './line.ts';
import { joined } from './page.ts';

const tones: Readonly<Record<Risk, Tone>> = {
  none: 'healthy',
  quiet: 'healthy',
  restart: 'progressing',
  disruption: 'failed',
};

const meanings: Readonly<Record<Risk, string>> = {
  none: 'nothing changes',
  quiet: 'changes without a restart',
  restart: 'restarts, and serves all the while',
  disruption: 'does not serve for a while, or drops state',
};

/** Pods that are named one by one. */
const mostPods = 12;

/** What will happen, in the signs that people know from other tools. */
export function planLines(plan: Plan, { width }: Frame): readonly Line[] {
  const { subject, risk, problems } = plan;
  const title = `${subject.kind} ${subject.namespace}/${subject.name}`;
  if (problems.length > 0) {
    return [
      [
        { text: `${title}: `, tone: 'strong' },
        { text: 'refused', tone: 'failed' },
      ],
      ...problems.flatMap(({ message }) => labelled('', message, width)),
    ];
  }
  const lines: readonly Line[] = [
    [
      { text: `${title}: `, tone: 'strong' },
      { text: meanings[risk], tone: tones[risk] },
    ],
    ...labelled('In short', plan.line, width),
  ];
  if (risk === 'none' && plan.changes.length === 0 && plan.warnings.length === 0) return lines;
  return joined([
    lines,
    changeLines(plan.changes),
    stepTable(plan.steps),
    restartLines(plan.restarts, width),
    verdictLines(plan, width),
  ]);
}

function changeLines(changes: readonly FieldChange[]): readonly Line[] {
  if (changes.length === 0) return [];
  const rows = changes.map(({ path, from, to, demands }) => [
    `  ${from === undefined ? '+' : to === undefined ? '-' : '~'} ${path}`,
    { text: demands, tone: 'faint' as const },
    from === undefined ? (to ?? '') : `${from} → ${to ?? '(none)'}`,
  ]);
  return [heading('Changes:'), ...grid(rows)];
}

function stepTable(steps: readonly PlannedStep[]): readonly Line[] {
  if (steps.length === 0) return [];
  const rows = steps.map(({ symbol, what, detail, usuallyMs }) => [
    { text: `  ${symbol}`, tone: symbolTone(symbol) },
    what,
    usuallyMs === undefined ? '' : `usually ${duration(usuallyMs)}`,
    detail ?? '',
  ]);
  return [heading('Steps:'), ...grid(rows)];
}

function symbolTone(symbol: PlannedStep['symbol']): Tone {
  if (symbol === '!') return 'failed';
  if (symbol === '-' || symbol === '-/+' || symbol === '↻') return 'degraded';
  return symbol === '+' || symbol === '+/-' ? 'healthy' : 'progressing';
}

function restartLines(restarts: readonly PlannedRestart[], width: number): readonly Line[] {
  if (restarts.length === 0) return [];
  const told = restarts.flatMap(({ kind, name, pods, because }) => {
    const more = pods.length > mostPods ? ` and ${pods.length - mostPods} more` : '';
    const which = pods.length === 0 ? '' : `: ${pods.slice(0, mostPods).join(', ')}${more}`;
    return labelled('', `↻ ${kind} ${name}${which}; ${because}`, width);
  });
  return [heading('Restarts:'), ...told];
}

function verdictLines(plan: Plan, width: number): readonly Line[] {
  const { state, availability, undo, estimate } = plan;
  const stateTone = state.outcome === 'dropped' ? 'failed' : undefined;
  const serveTone = availability.serves === 'interrupted' ? 'failed' : undefined;
  return [
    ...labelled('State', `${state.outcome}: ${state.sentence}`, width, stateTone),
    ...labelled('Availability', `${availability.serves}: ${availability.sentence}`, width, serveTone),
    ...labelled('Traffic', plan.traffic ?? '', width),
    ...labelled('Extra', plan.extra ?? '', width),
    ...labelled('Undo', `${undo.possible ? 'possible' : 'not possible'}: ${undo.sentence}`, width),
    ...labelled('Takes', estimate ? `about ${duration(estimate.ms)} (${estimate.basis})` : '', width),
    ...labelled('Waits for', plan.waitsFor ?? '', width),
    ...plan.warnings.flatMap((warning) => labelled('Warning', warning, width, 'degraded')),
  ];
}
