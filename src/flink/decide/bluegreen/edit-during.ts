import { instantText } from '../instant-text.ts';
import { told, warned } from '../reasons.ts';
import { jobOf, type Moving } from './blue-green-case.ts';
import type { BlueGreenStep } from './blue-green-step.ts';
import { acted, lacking, moved, over } from './record.ts';
import { isGone } from './side.ts';
import { type Restore, restoreAgain } from './source.ts';
import { word } from './target.ts';

/**
 * Seed 003: a redeploy nonce changed during the transition. It is over, x is active, and the nonce stays pending until a
 * target exists for it: y is deleted first, and seen gone.
 */
export function superseded(c: Moving): BlueGreenStep {
  const { redeploy } = c.change;
  const { from, to } = c.status.transition;
  if (redeploy === undefined) {
    const because = 'The job is to be suspended, and the new side does not exist yet.';
    return { status: over(c, 'superseded', because), because, again: true };
  }
  if (isGone(c.x)) return resourced(c, redeploy);
  const source =
    redeploy === 'savepoint' ? `with new savepoint from: ${jobOf(c.desired).initialSavepointPath}` : 'without state';
  const because = `${redeploy}RedeployNonce changed during transition from ${from} to ${to}. Aborting current transition and will restart ${source}`;
  return {
    status: over(c, 'superseded', because),
    effects: [warned(c.resource, 'TransitionSuperseded', because)],
    because,
    again: true,
  };
}

/** Nobody serves: there is no side to be active, so the same transition goes on with the new source. */
function resourced(c: Moving, redeploy: 'savepoint' | 'stateless'): BlueGreenStep {
  const path = jobOf(c.desired).initialSavepointPath;
  const restore: Restore =
    redeploy === 'savepoint' ? { mode: 'user', ...(path !== undefined && { path }) } : { mode: 'stateless' };
  const because = `${redeploy}RedeployNonce changed, and ${c.x.name} is gone: ${word(c.y.color)} is made again.`;
  const status = moved(c, lacking(c.status, 'spec', 'savepoint'), 'starting', {
    cause: `${redeploy}-redeploy`,
    because,
    restore,
  });
  return { status, because, again: true };
}

/** The template changed during the transition: y is made again, from the same state if that is still the right thing. */
export function remade(c: Moving): BlueGreenStep {
  const restore = restoreAgain(c);
  const because = `The template changed during the transition: ${word(c.y.color)} is made again.`;
  if (!restore && !isGone(c.x)) {
    return { status: over(c, 'superseded', `${because} It needs another savepoint.`), because, again: true };
  }
  const kept = restore ?? c.status.transition.restore;
  const status = moved(c, lacking(c.status, 'spec', 'readyAt'), 'starting', { ...(kept && { restore: kept }) });
  return { status, effects: [told(c.resource, 'SpecChanged', because)], because, again: true };
}

/** The template is x's again: nothing is to be done any more, nonces included. */
export function cancelled(c: Moving): BlueGreenStep {
  const because = `The template is that of ${word(c.x.color)} again: the transition is cancelled.`;
  const status = acted(over(c, 'cancelled', because), c.desired);
  return { status, effects: [told(c.resource, 'TransitionCancelled', because)], because, again: true };
}

/** A person gave the transition up: y goes, and the template is not tried again until it changes. */
export function givenUpByHand(c: Moving): BlueGreenStep {
  const { id, to, spec } = c.status.transition;
  const reason = `The transition to ${word(to)} was rolled back by hand.`;
  const aborted = { id, at: instantText(c.now), color: to, reason, spec: spec ?? '' };
  const status = over(c, 'rolled-back', reason);
  return {
    status: spec === undefined ? status : { ...status, aborted },
    effects: [warned(c.resource, 'TransitionAborted', reason)],
    because: reason,
    again: true,
  };
}
