import type { Action, Decision } from '../../src/control/decision.ts';
import { begin } from './decide-begin.ts';
import { sides } from './decide-transitioning.ts';
import type { LampView, Transition } from './view.ts';

/**
 * The spec changed while an earlier change was under way. It is always admitted: the side that does not serve goes, and
 * the change begins anew. Once the old side has begun to go there is no way back, and the new one serves.
 */
export function editDuring(view: LampView, transition: Transition): Decision {
  if (transition.kind === 'restart') return begin(view);
  if (transition.retiring) return begin(view, transition.id);
  const { target } = sides(view, transition);
  if (target.length === 0) return begin(view);
  const removals = target.map(({ ref }): Action => ({ do: 'delete', of: ref }));
  return { actions: removals, because: 'the spec changed again: the bulbs that do not serve yet go' };
}
