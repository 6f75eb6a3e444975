import type { BlueGreenPhase } from '../../resources/blue-green-transition.ts';
import { instantOf, instantText } from '../instant-text.ts';
import { warned } from '../reasons.ts';
import type { Effect } from '../step.ts';
import type { Moving } from './blue-green-case.ts';
import { type BlueGreenStep, wait } from './blue-green-step.ts';
import { noncesOf } from './edit-during.ts';
import { lacking, moved, over } from './record.ts';
import { isLost, isReady, trouble } from './side.ts';
import { deadline, refusedTarget, word } from './target.ts';
import { hasTraffic, isAhead } from './traffic.ts';
import { toReturn } from './way-back.ts';

/** y is not ready. Before traffic moved that may end in an abort; after it, in a way back. */
export function notReady(c: Moving, effects: readonly Effect[] = []): BlueGreenStep {
  const { transition } = c.status;
  if (transition.deadline === undefined) return armed(c);
  const at = instantOf(transition.deadline) ?? c.now;
  const late = c.now >= at;
  if (isAhead(transition)) {
    // What does not have the traffic yet does not get it while it is not ready.
    const back = late || isLost(c.y) || !hasTraffic(c, c.y.color);
    if (isReady(c.x) && back) return toReturn(c, `${trouble(c.y)}.`);
  } else if (late && !isLost(c.x)) {
    return aborted(c);
  }
  const refused = refusedTarget(c);
  const because = refused === undefined ? `${trouble(c.y)}.` : `${c.y.name} was refused: ${refused}`;
  if (!late) return wait(c, because, { effects, wakeAt: at, ...(refused !== undefined && { error: because }) });
  const error = `${word(transition.to)} was not ready by ${transition.deadline}, and ${trouble(c.x)}: nothing better serves. ${because}`;
  return wait(c, error, { effects, error, stands: { is: 'waiting', reason: 'NothingServes' } });
}

/** Where a transition goes on when the target is ready again. */
const begunAnew: Partial<Record<BlueGreenPhase, BlueGreenPhase>> = { verifying: 'starting', retiring: 'draining' };

/** It was ready before: it gets a new grace period, and all delays begin anew when it is ready again. */
function armed(c: Moving): BlueGreenStep {
  const status = lacking(c.status, 'readyAt');
  const { phase } = status.transition;
  const next = moved(c, status, begunAnew[phase] ?? phase, { deadline: deadline(c) });
  return { status: next, because: `${trouble(c.y)}.`, again: true };
}

/** Seed 001, "Abort Grace Period": x serves on, y is left as it is, and its template is not tried again until it changes. */
function aborted(c: Moving): BlueGreenStep {
  const { id, to, spec = '', deadline: at } = c.status.transition;
  const reason = `The transition to ${word(to)} was aborted: not ready by ${at}; ${trouble(c.y)}.`;
  const uid = c.y.seen?.ref.uid;
  const given = {
    id,
    at: instantText(c.now),
    color: to,
    ...(uid !== undefined && { uid }),
    spec,
    reason,
    ...noncesOf(c),
  };
  return {
    status: { ...over(c, 'aborted', reason), aborted: given },
    effects: [warned(c.resource, 'TransitionAborted', reason)],
    because: reason,
    again: true,
  };
}
