import { instantOf, instantText } from '../instant-text.ts';
import { told } from '../reasons.ts';
import { annotations } from './annotations.ts';
import type { Moving } from './blue-green-case.ts';
import { type BlueGreenStep, wait } from './blue-green-step.ts';
import { lacking, moved, movingTraffic, over, recorded } from './record.ts';
import { isLost } from './side.ts';
import { word } from './target.ts';
import { hasTraffic } from './traffic.ts';

/** y is ready: gate, traffic, delay, window, then x goes. Each step is written before it is taken. */
export function promotion(c: Moving): BlueGreenStep {
  const { transition } = c.status;
  if (transition.deadline !== undefined || transition.readyAt === undefined) return becameReady(c);
  switch (transition.phase) {
    case 'savepointing':
    case 'starting':
    case 'returning':
    case 'verifying':
      return gate(c);
    case 'switching':
      return switching(c);
    case 'draining':
      return draining(c);
    case 'keeping':
      return keeping(c);
    case 'retiring':
      return retiring(c);
  }
}

/** The first readiness disarms the deadline; after a moment without it every delay begins anew. */
function becameReady(c: Moving): BlueGreenStep {
  const status = lacking(c.status, 'deadline');
  const transition = { ...status.transition, readyAt: instantText(c.now) };
  return { status: { ...status, transition }, because: `${word(c.y.color)} is ready.`, again: true };
}

function gate(c: Moving): BlueGreenStep {
  const { settings, status, y } = c;
  const { readyAt } = status.transition;
  if (!y.current) return wait(c, `${y.name} is about to take up a change.`);
  const heldUntil = (instantOf(readyAt) ?? c.now) + settings.promotionHoldMs;
  // Nobody else serves: traffic does not wait for a person. x still does.
  const forced = isLost(c.x);
  if (awaitsPerson(c) && !forced) return verifying(c, promoteText(c));
  if (c.now < heldUntil && !isPromoted(c) && !forced)
    return verifying(c, `${word(y.color)} is ready and is held back until ${instantText(heldUntil)}.`, heldUntil);
  const because = `${word(y.color)} is ready: traffic moves to it.`;
  return wait(c, because, { status: movingTraffic(c, withServing(c), 'switching') });
}

function isPromoted({ view, status }: Moving): boolean {
  return view.resource.metadata.annotations?.[annotations.promote] === status.transition.id;
}

function awaitsPerson(c: Moving): boolean {
  return c.settings.promotion === 'manual' && !isPromoted(c);
}

function promoteText({ y, status }: Moving): string {
  return `${word(y.color)} is ready and waits to be promoted: annotate the resource with ${annotations.promote}=${status.transition.id}.`;
}

function verifying(c: Moving, because: string, wakeAt?: number): BlueGreenStep {
  const stands = { is: 'waiting' as const, reason: 'AwaitsPromotion' as const };
  return wait(c, because, { status: moved(c, c.status, 'verifying'), stands, wakeAt });
}

/** The Ingress is asked to lead to y along with this step; external routing follows `serving`. */
function switching(c: Moving): BlueGreenStep {
  const { y, status } = c;
  if (!hasTraffic(c, y.color)) return wait(c, `Traffic moves to ${word(y.color)}.`);
  const because = `Traffic is at ${word(y.color)}.`;
  const next = moved(c, withServing(c), 'draining', { trafficAt: instantText(c.now) });
  const effects = status.transition.trafficAt === undefined ? [told(c.resource, 'TrafficMoved', because)] : [];
  return { status: next, effects, because, again: true };
}

function draining(c: Moving): BlueGreenStep {
  const { trafficAt, readyAt } = c.status.transition;
  if (!hasTraffic(c, c.y.color)) return wait(c, `Traffic moves to ${word(c.y.color)}.`);
  const since = Math.max(instantOf(trafficAt) ?? c.now, instantOf(readyAt) ?? c.now);
  const until = since + c.settings.deletionDelayMs;
  if (c.now < until)
    return wait(c, `${word(c.y.color)} serves; ${word(c.x.color)} is deleted after ${instantText(until)}.`, {
      wakeAt: until,
    });
  // An edit is an answer too: the way to it leads through ACTIVE_y.
  const edited = c.change.redeploy !== undefined || c.change.transition;
  if (awaitsPerson(c) && !edited) {
    return wait(c, promoteText(c), { stands: { is: 'waiting', reason: 'AwaitsPromotion' } });
  }
  const next = c.settings.rollbackWindowMs > 0 ? 'keeping' : 'retiring';
  return { status: moved(c, c.status, next), because: `${word(c.y.color)} serves.`, again: true };
}

function keeping(c: Moving): BlueGreenStep {
  const { phaseStartedAt, readyAt, id } = c.status.transition;
  const since = Math.max(instantOf(phaseStartedAt) ?? c.now, instantOf(readyAt) ?? c.now);
  const until = since + c.settings.rollbackWindowMs;
  if (c.now >= until)
    return { status: moved(c, c.status, 'retiring'), because: 'The rollback window is over.', again: true };
  const because = `${word(c.y.color)} serves; ${word(c.x.color)} is kept until ${instantText(until)}. To switch back, annotate the resource with ${annotations.rollback}=${id}.`;
  return wait(c, because, { wakeAt: until });
}

/**
 * x goes last: by uid and version, with y ready in the same view, and only once that is written down. From then on a way
 * back begins with a mark on x; what is seen of its deletion is the point of no return.
 */
function retiring(c: Moving): BlueGreenStep {
  const { x, y, status } = c;
  const { retire } = status.transition;
  if (!x.seen) return finished(c);
  if (!y.current || !hasTraffic(c, y.color)) return wait(c, `${y.name} is about to take up a change.`);
  const { apiVersion, kind, namespace, name, uid, resourceVersion } = x.seen.ref;
  const of = { apiVersion, kind, name, uid, resourceVersion, ...(namespace !== undefined && { namespace }) };
  const intent = retire?.uid === uid ? retire : { uid, askedAt: instantText(c.now) };
  const next = { ...status, transition: { ...status.transition, retire: intent } };
  return { status: next, effects: [{ do: 'delete', of }], because: `${word(y.color)} serves: ${name} is deleted.` };
}

/** y has become what serves. */
export function finished(c: Moving): BlueGreenStep {
  const { y, x, target, desired } = c;
  const because = `The transition is complete: ${word(y.color)} serves${x.is === 'absent' ? '' : `, ${x.name} is going`}.`;
  const status = { ...recorded(over(c, 'promoted'), target ?? desired), serving: servingOf(c) };
  return { status, effects: [told(c.resource, 'TransitionCompleted', because)], because, again: true };
}

/** Whoever routes by the status sees y from here on. */
function withServing(c: Moving): Moving['status'] {
  return c.status.serving?.color === c.y.color ? c.status : { ...c.status, serving: servingOf(c) };
}

function servingOf({ y, now, status }: Moving) {
  const uid = y.seen?.ref.uid;
  if (status.serving?.color === y.color) return status.serving;
  return { color: y.color, name: y.name, ...(uid !== undefined && { uid }), since: instantText(now) };
}
