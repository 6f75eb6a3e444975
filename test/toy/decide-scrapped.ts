import { type Decision, idle } from '../../src/control/decision.ts';
import { removeFinalizer } from '../../src/control/finalizers.ts';
import { journal } from './status.ts';
import { type LampView, type Transition, transitionOf } from './view.ts';

export const finalizer = 'toy.cutover.dev/factory';

/** The lamp is to go: first the factory clears what it made for it, then the lamp is let go. */
export function scrapped(view: LampView): Decision {
  const { lamp, stock, now } = view;
  const release = removeFinalizer(lamp, finalizer);
  if (!release) return idle('others still hold the lamp');
  if (stock.is !== 'known') return idle('the factory cannot be reached', now + 5_000);
  if (stock.batches.length === 0) return { actions: [release], because: 'the factory has nothing left of this lamp' };
  const begun = transitionOf(lamp);
  const attempt = begun?.kind === 'scrap' ? (lamp.status?.attempt ?? 0) : (lamp.status?.attempt ?? 0) + 1;
  const id = `${lamp.metadata.uid}-${attempt}`;
  const transition: Transition = { id, kind: 'scrap', spec: '' };
  const message = 'The factory scraps what it made for this lamp.';
  const standing = { is: 'reconciling', serving: false, reason: 'Scrapping', message } as const;
  return {
    actions: [
      journal(view, standing, { attempt, transition }),
      { do: 'call', port: 'factory', verb: 'scrap', id, args: { lamp: lamp.metadata.uid ?? '' } },
    ],
    because: message,
  };
}
