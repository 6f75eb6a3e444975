import { blueGreenSpecCodec } from '../../resources/blue-green-spec.ts';
import { settledNonces } from '../../resources/settled-nonces.ts';
import { instantText } from '../instant-text.ts';
import { told, warned } from '../reasons.ts';
import { isSuspended, type Moving, pathIn } from './blue-green-case.ts';
import { type BlueGreenStep, wait } from './blue-green-step.ts';
import { acted, lacking, moved, over, unacted } from './record.ts';
import { isGone } from './side.ts';
import { lastKnown, type Restore, restoreAgain, restoreAtLast } from './source.ts';
import { made, word } from './target.ts';

/**
 * Seed 003: a redeploy nonce changed during the transition. It is over, x is active, and the nonce stays pending until a
 * target exists for it: y is deleted first, and seen gone.
 */
export function superseded(c: Moving): BlueGreenStep {
  const { redeploy = 'stateless' } = c.change;
  const { from, to } = c.status.transition;
  if (isGone(c.x) && !isSuspended(c.desired)) return resourced(c, redeploy);
  const source = redeploy === 'savepoint' ? `with new savepoint from: ${pathIn(c.desired)}` : 'without state';
  const because = `${redeploy}RedeployNonce changed during transition from ${from} to ${to}. Aborting current transition and will restart ${source}`;
  return {
    status: over(c, 'superseded', because),
    effects: [warned(c.resource, 'TransitionSuperseded', because)],
    because,
    again: true,
  };
}

/** The job is to be suspended before the target was made: the transition is over. A nonce that asked for it acts on resume. */
export function suspendedBefore(c: Moving): BlueGreenStep {
  const because = 'The job is to be suspended, and the new side does not exist yet.';
  const status = unacted(over(c, 'superseded', because), c.status.transition.noncesBefore);
  return { status, because, again: true };
}

/** Nobody serves: there is no side to be active, so the same transition goes on with the new source. */
function resourced(c: Moving, redeploy: 'savepoint' | 'stateless'): BlueGreenStep {
  const because = `${redeploy}RedeployNonce changed, and ${c.x.name} is gone: ${word(c.y.color)} is made again.`;
  const status = moved(c, lacking(c.status, 'spec', 'savepoint'), 'starting', {
    cause: `${redeploy}-redeploy`,
    because,
    restore: sourceOfRedeploy(c, redeploy),
    // A nonce that the target before was made for is superseded.
    noncesBefore: settledNonces(c.status, c.desired),
  });
  return { status, because, again: true };
}

function sourceOfRedeploy({ desired }: Moving, redeploy: 'savepoint' | 'stateless'): Restore {
  const path = pathIn(desired);
  return redeploy === 'stateless' ? { mode: 'stateless' } : { mode: 'user', ...(path !== undefined && { path }) };
}

/** The target is about to be made for the nonce that changed; it counts as acted upon when that is done. */
export function isResourced(c: Moving): boolean {
  const { redeploy } = c.change;
  const { cause, restore, spec } = c.status.transition;
  if (redeploy === undefined || spec !== undefined || !isGone(c.x)) return false;
  return cause === `${redeploy}-redeploy` && restore?.path === sourceOfRedeploy(c, redeploy).path;
}

/** The template changed during the transition: y is made again, from the same state if that is still the right thing. */
export function remade(c: Moving): BlueGreenStep {
  const because = `The template changed during the transition: ${word(c.y.color)} is made again.`;
  if (!restoreAgain(c) && !isGone(c.x)) return anew(c, because);
  const status = moved(c, lacking(c.status, 'spec', 'readyAt'), 'starting');
  return { status, effects: [told(c.resource, 'SpecChanged', because)], because, again: true };
}

/** Makes the target that `remade` gave up, from the newest template: what it starts from is settled only now. */
export function madeAgain(c: Moving): BlueGreenStep {
  const restore = restoreAgain(c) ?? (isGone(c.x) ? restoreAtLast(c) : undefined);
  const because = `${word(c.y.color)} is made from the newest template.`;
  if (restore) return made(c, { ...c.status, transition: { ...c.status.transition, restore } }, because);
  if (!isGone(c.x)) return anew(c, because);
  const error = `${c.x.name} is gone, and no state of it is known that ${word(c.y.color)} could start from. ${lastKnown(c)}`;
  return wait(c, error, { error, stands: { is: 'stalled', reason: 'StateUnknown' } });
}

/** Another savepoint is needed: the transition begins anew, from the serving side. */
function anew(c: Moving, because: string): BlueGreenStep {
  return { status: over(c, 'superseded', `${because} It needs another savepoint.`), because, again: true };
}

/** The template is x's again: nothing is to be done any more, nonces included. */
export function cancelled(c: Moving): BlueGreenStep {
  const because = `The template is that of ${word(c.x.color)} again: the transition is cancelled.`;
  const status = acted(unacted(over(c, 'cancelled', because), c.status.transition.noncesBefore), c.desired);
  return { status, effects: [told(c.resource, 'TransitionCancelled', because)], because, again: true };
}

/** Whether a person said something to this very transition. */
export function isAsked({ view, status }: Moving, annotation: string): boolean {
  return view.resource.metadata.annotations?.[annotation] === status.transition.id;
}

/** A person gave the transition up: y goes, and the template is not tried again until it changes. */
export function givenUpByHand(c: Moving): BlueGreenStep {
  const { id, to, spec } = c.status.transition;
  const reason = `The transition to ${word(to)} was rolled back by hand.`;
  const given = spec ?? blueGreenSpecCodec.write(c.desired);
  return {
    status: {
      ...over(c, 'rolled-back', reason),
      aborted: { id, at: instantText(c.now), color: to, reason, spec: given, byHand: true, ...noncesOf(c) },
    },
    effects: [warned(c.resource, 'TransitionAborted', reason)],
    because: reason,
    again: true,
  };
}

/** Of a transition that a nonce asked for: what had been acted upon before. */
export function noncesOf({ status }: Moving): Pick<NonNullable<Moving['status']['aborted']>, 'noncesBefore'> {
  const { cause, noncesBefore } = status.transition;
  const asked = cause === 'savepoint-redeploy' || cause === 'stateless-redeploy';
  return asked && noncesBefore ? { noncesBefore } : {};
}
