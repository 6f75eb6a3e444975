import type { Action, Decision } from '../../src/control/decision.ts';
import { begin } from './decide-begin.ts';
import { missingOrdinals, sides } from './decide-transitioning.ts';
import { type LampView, servingId, type Transition } from './view.ts';

/**
 * The spec changed while an earlier change was under way. It is always admitted: the side that does not serve goes, and
 * the change begins anew. Once the old side has begun to go there is no way back, and the new one serves.
 */
export function editDuring(view: LampView, transition: Transition): Decision {
  if (transition.kind === 'restart') return begin(view);
  const { target, serving } = sides(view, transition);
  const before = servingId(view.lamp);
  const oldSideIsWhole = before !== undefined && missingOrdinals(serving, view.lamp.status?.replicas ?? 0).length === 0;
  if (!oldSideIsWhole && before !== undefined) return begin(view, transition.id);
  if (target.length === 0) return begin(view);
  const removals = target.map(({ ref }): Action => ({ do: 'delete', of: ref }));
  return { actions: removals, because: 'the spec changed again: the bulbs that do not serve yet go' };
}
