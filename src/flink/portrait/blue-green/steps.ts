import type { Step } from '../../../portrait/portrait.ts';
import { type BlueGreenPhase, blueGreenPhases, type Color } from '../../resources/blue-green-transition.ts';
import { brief, spanText } from '../wording.ts';
import type { BlueGreenLook } from './blue-green-look.ts';
import { durationsOf } from './durations.ts';
import { word } from './moments.ts';

/** The steps of the transition under way, with those to come; else those of the last one. */
export function stepsOf(l: BlueGreenLook): readonly Step[] {
  const { transition } = l;
  return transition ? [...gone(l), ...toCome(l)] : ofLast(l);
}

/** What a phase does, for a person. */
export function titleOf(phase: string, from: Color | undefined, to: Color): string {
  const [old, next] = [word(from ?? to), word(to)];
  switch (phase as BlueGreenPhase) {
    case 'savepointing':
      return `Take a savepoint of ${old}`;
    case 'starting':
      return `Start ${next}`;
    case 'verifying':
      return `Hold ${next} back until it is promoted`;
    case 'switching':
      return `Move traffic to ${next}`;
    case 'draining':
      return `Let ${old} drain`;
    case 'keeping':
      return `Keep ${old} for a way back`;
    case 'retiring':
      return `Delete ${old}`;
    case 'returning':
      return `Bring traffic back to ${old}`;
    default:
      return brief(phase);
  }
}

/** The phases that a transition goes through when all goes well, as it is configured. */
export function wayOf(
  { settings }: Pick<BlueGreenLook, 'settings'>,
  { first, savepoint }: { readonly first: boolean; readonly savepoint: boolean },
): readonly BlueGreenPhase[] {
  if (first) return ['starting'];
  const gated = settings.promotion === 'manual' || settings.promotionHoldMs > 0;
  const wanted: Partial<Record<BlueGreenPhase, boolean>> = {
    savepointing: savepoint,
    verifying: gated,
    keeping: settings.rollbackWindowMs > 0,
    returning: false,
  };
  return blueGreenPhases.filter((phase) => wanted[phase] ?? true);
}

function gone({ transition, moment, status }: BlueGreenLook): readonly Step[] {
  if (!transition) return [];
  const { from, to, phase, phaseStartedAt } = transition;
  const steps = transition.steps?.length ? transition.steps : [{ phase, startedAt: phaseStartedAt }];
  return steps.map((step, index): Step => {
    const next = steps[index + 1];
    const last = next === undefined;
    const failing = last && transition.savepointFailures !== undefined && phase === 'savepointing';
    const info = last ? (failing ? transition.savepointError : status.error) : undefined;
    return {
      name: step.phase,
      title: titleOf(step.phase, from, to),
      status: last ? 'current' : 'done',
      startedAt: step.startedAt,
      ...(next && { endedAt: next.startedAt }),
      ...(info !== undefined && { info: brief(info) }),
      ...(last && info === undefined && moment === 'awaiting' && { info: 'waits for a person' }),
    };
  });
}

function toCome(l: BlueGreenLook): readonly Step[] {
  const { transition, status } = l;
  if (!transition) return [];
  const { from, to, phase, savepoint } = transition;
  const all = wayOf(l, { first: from === undefined, savepoint: savepoint !== undefined });
  // After a way back the target is made again, or given up; only the first is certain.
  const later = phase === 'returning' ? (['starting'] as const) : all.slice(all.indexOf(phase) + 1);
  const usual = durationsOf(status)?.phases;
  return later
    .filter((one) => blueGreenPhases.indexOf(one) > blueGreenPhases.indexOf(phase) || phase === 'returning')
    .map((name): Step => {
      const ms = usual?.get(name);
      const info = ms === undefined ? {} : { info: `usually ${spanText(ms)}` };
      return { name, title: titleOf(name, from, to), status: 'pending', ...info };
    });
}

function ofLast({ status }: BlueGreenLook): readonly Step[] {
  const [last] = status.history ?? [];
  if (!last) return [];
  const { from, to, outcome, reason, endedAt, steps = [] } = last;
  return steps.map(({ phase, startedAt }, index): Step => {
    const next = steps[index + 1];
    const broken = next === undefined && outcome !== 'promoted';
    return {
      name: phase,
      title: titleOf(phase, from, to),
      status: broken ? 'failed' : 'done',
      startedAt,
      endedAt: next?.startedAt ?? endedAt,
      ...(broken && { info: brief(reason ?? outcome) }),
    };
  });
}
