import { type Decision, idle } from '../../src/control/decision.ts';
import { addFinalizer } from '../../src/control/finalizers.ts';
import { begin } from './decide-begin.ts';
import { editDuring } from './decide-edit.ts';
import { finalizer, scrapped } from './decide-scrapped.ts';
import { steady } from './decide-steady.ts';
import { restarting, transitioning } from './decide-transitioning.ts';
import { essence } from './status.ts';
import { type LampView, transitionOf } from './view.ts';

/** What to do about a lamp: view in, decision out. */
export function decide(view: LampView): Decision {
  const { lamp } = view;
  if (lamp.metadata.deletionTimestamp) return scrapped(view);
  const hold = addFinalizer(lamp, finalizer);
  if (hold) return { actions: [hold], because: 'the factory must be told when the lamp goes' };

  const transition = transitionOf(lamp);
  if (transition && transition.spec !== essence(lamp.spec)) return editDuring(view, transition);
  if (transition?.failed) return idle(transition.failed);
  if (transition) return transition.kind === 'restart' ? restarting(view, transition) : transitioning(view, transition);
  const reconciled = lamp.status?.reconciledSpec as typeof lamp.spec | undefined;
  if (!reconciled || essence(reconciled) !== essence(lamp.spec)) return begin(view);
  return steady(view);
}
