import type { Deadline } from '../../../portrait/portrait.ts';
import { instantOf, instantText } from '../../decide/instant-text.ts';
import type { BlueGreenLook } from './blue-green-look.ts';

/** When something happens by itself, the nearest first. */
export function deadlinesOf({ transition, settings }: BlueGreenLook): readonly Deadline[] {
  if (!transition) return [];
  const { phase, from, to, savepoint, savepointRetryAt, deadline, readyAt, trafficAt, phaseStartedAt } = transition;
  const [old, next] = [(from ?? to).toLowerCase(), to.toLowerCase()];
  const found: Deadline[] = [];
  const add = (what: string, at: number | undefined): void => {
    if (at !== undefined) found.push({ what, at: instantText(at) });
  };
  if (phase === 'savepointing') {
    if (savepointRetryAt !== undefined) add('the savepoint is tried again', instantOf(savepointRetryAt));
    else if (savepoint?.path === undefined) add('the savepoint counts as failed', instantOf(savepoint?.deadline));
  }
  if (deadline !== undefined) add(givenUp(phase, from !== undefined, old, next), instantOf(deadline));
  const ready = instantOf(readyAt);
  const later = (a: number | undefined, b: number | undefined) =>
    a === undefined && b === undefined ? undefined : Math.max(a ?? 0, b ?? 0);
  const after = (begin: number | undefined, ms: number) => (begin === undefined ? undefined : begin + ms);
  if (phase === 'verifying' && settings.promotion === 'automatic' && settings.promotionHoldMs > 0) {
    add(`traffic moves to ${next}`, after(ready, settings.promotionHoldMs));
  }
  if (phase === 'draining') {
    const end = after(later(instantOf(trafficAt), ready), settings.deletionDelayMs);
    add(settings.rollbackWindowMs > 0 ? `${old} is only kept for a way back` : `${old} is deleted`, end);
  }
  if (phase === 'keeping') {
    add(`${old} is deleted`, after(later(instantOf(phaseStartedAt), ready), settings.rollbackWindowMs));
  }
  return found.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function givenUp(phase: string, hasOld: boolean, old: string, next: string): string {
  if (!hasOld) return `${next} counts as late`;
  const ahead = phase === 'switching' || phase === 'draining' || phase === 'keeping' || phase === 'retiring';
  return ahead ? `traffic returns to ${old}` : `${next} is given up`;
}
