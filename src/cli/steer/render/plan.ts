import type { FieldChange, Plan, PlannedRestart, PlannedStep, Risk } from '../../../portrait/plan.ts';
import { duration } from '../../../portrait/text/duration.ts';
import { wrapTo } from '../../../portrait/text/width.ts';
import { grid } from './grid.ts';
import { labelled } from './labelled.ts';
import { type Frame, heading, type Line, plain, shown, type Tone } from './line.ts';
import { joined } from './page.ts';

const tones: Readonly<Record<Risk, Tone>> = {
  none: 'healthy',
  quiet: 'healthy',
  restart: 'progressing',
  disruption: 'failed',
};

/** What a plan means to those who use the workload. */
function meaning({ risk, state, availability }: Plan): string {
  const [drops, interrupts] = [state.outcome === 'dropped', availability.serves === 'interrupted'];
  switch (risk) {
    case 'none':
      return 'nothing changes';
    case 'quiet':
      return 'changes without a restart';
    case 'restart':
      return 'restarts, and serves all the while';
    case 'disruption':
      if (drops) return interrupts ? 'does not serve for a while, and drops state' : 'drops state';
      return interrupts ? 'does not serve for a while' : 'may not serve for a while, or may lose state';
    default:
      return risk satisfies never;
  }
}

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
      { text: meaning(plan), tone: tones[risk] },
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
    return wrapTo(shown(`↻ ${kind} ${name}${which}; ${because}`), Math.max(20, width - 6)).map((text, index) => {
      return plain(`${index === 0 ? '  ' : '    '}${text}`);
    });
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
