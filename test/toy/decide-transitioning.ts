import { type Action, type Decision, idle, refTo } from '../../src/control/decision.ts';
import { batchLabel, bulb, plan } from './manifests.ts';
import { journal, wantedBulbs } from './status.ts';
import { type Bulb, batchOf, type LampView, type Transition } from './view.ts';

/** A measurement that was begun may arrive this much later; only then it is known not to come. */
const measureArrivesMs = 30_000;
const lookAgainMs = 5_000;

/** New bulbs are made while the old ones shine; the old ones go last. */
export function transitioning(view: LampView, transition: Transition): Decision {
  if (transition.measured === undefined) return measuring(view, transition);
  const ordered = ordering(view, transition);
  if (ordered) return ordered;

  const { target, serving } = sides(view, transition);
  const missing = missingOrdinals(target, wantedBulbs(view.lamp.spec));
  if (missing.length > 0 || target.some((b) => b.terminating)) {
    const creates = missing.map(
      (ordinal): Action => ({ do: 'create', object: bulb(view.lamp, transition.id, transition.id, ordinal) }),
    );
    const prepare: Action = { do: 'apply', object: plan(view.lamp, transition.id) };
    return { actions: [prepare, ...creates], because: 'the new bulbs are being screwed in' };
  }
  if (serving.length > 0) {
    // Written down first: a view that is out of date must not make the side go that serves by now.
    const intent = carryOn(view, { ...transition, retiring: true }, 'The new bulbs shine; the old ones go.');
    const removals = serving.map(({ ref }): Action => ({ do: 'delete', of: ref }));
    return { actions: [intent, ...removals], because: 'the new bulbs shine; the old ones go' };
  }
  return finished(view, transition);
}

/** The same bulbs anew, one at a time. */
export function restarting(view: LampView, transition: Transition): Decision {
  const { target, serving } = sides(view, transition);
  const wanted = wantedBulbs(view.lamp.spec);
  const [next] = missingOrdinals(target, wanted);
  if (view.bulbs.length < wanted && next !== undefined) {
    const actions: Action[] = [
      { do: 'apply', object: plan(view.lamp, batchOf(transition)) },
      { do: 'create', object: bulb(view.lamp, transition.id, batchOf(transition), next) },
    ];
    return { actions, because: `bulb ${next} is being replaced` };
  }
  const [old] = serving;
  if (old) return { actions: [{ do: 'evict', of: old.ref }], because: `bulb ${old.ordinal} is being taken out` };
  return finished(view, transition);
}

/** The counter of the serving bulbs, read exactly once. The factory does not know our ids: see its comment. */
function measuring(view: LampView, transition: Transition): Decision {
  const { lamp, now, outcomes, stock } = view;
  const id = `${transition.id}-measure`;
  const outcome = outcomes[id];
  const found = stock.is === 'known' ? stock.receipts.find((receipt) => receipt.id === id)?.counter : undefined;
  const measured = outcome?.result === 'done' ? Number(outcome.value) : found;
  if (measured !== undefined) {
    return {
      actions: [carryOn(view, { ...transition, measured }, 'The counter is known.')],
      because: 'the counter is known',
    };
  }
  if (stock.is !== 'known') return idle('the factory cannot be reached', now + lookAgainMs);
  if (transition.triedAt !== undefined && transition.triedAt > now) {
    // The clock was set back: how long ago it was is not known any more, so the whole wait begins anew.
    const again = carryOn(view, { ...transition, triedAt: now }, 'A measurement may still arrive.');
    return { actions: [again], because: 'the clock was set back while a measurement may still arrive' };
  }
  const safeAt = transition.triedAt === undefined ? now : transition.triedAt + measureArrivesMs;
  if (now < safeAt) return idle('a measurement may still arrive', safeAt);
  const { from = '' } = transition;
  const args = { lamp: lamp.metadata.uid ?? '', batch: from };
  return {
    actions: [
      carryOn(view, { ...transition, triedAt: now, measureId: id }, 'The counter is being read.'),
      { do: 'call', port: 'factory', verb: 'measure', id, args },
    ],
    because: 'the counter must be carried over',
  };
}

/** The batch of this transition, ordered under its id. `undefined` when it is there. */
function ordering(view: LampView, transition: Transition): Decision | undefined {
  const { lamp, now, outcomes, stock, token } = view;
  const outcome = outcomes[transition.id];
  const there =
    outcome?.result === 'done' || (stock.is === 'known' && stock.batches.some((b) => b.id === transition.id));
  if (there) return undefined;
  if (outcome?.result === 'refused') return failed(view, transition, outcome.message);
  if (stock.is !== 'known') return idle('the factory cannot be reached', now + lookAgainMs);
  const args = {
    lamp: lamp.metadata.uid ?? '',
    image: lamp.spec.image,
    counter: transition.measured ?? 0,
    ...(token && { token }),
  };
  return {
    actions: [{ do: 'call', port: 'factory', verb: 'order', id: transition.id, args }],
    because: 'a batch of bulbs is ordered',
  };
}

function failed(view: LampView, transition: Transition, why: string): Decision {
  const message = `${why}. Change the spec to try again.`;
  const standing = { is: 'stalled', serving: view.bulbs.length > 0, reason: 'FactoryRefused', message } as const;
  return {
    actions: [
      journal(view, standing, { transition: { ...transition, failed: message }, phase: 'Failing', error: why }),
      { do: 'event', about: refTo(view.lamp), reason: 'FactoryRefused', note: message, warning: true },
    ],
    because: message,
  };
}

function finished(view: LampView, transition: Transition): Decision {
  const { lamp } = view;
  const { error: _error, ...status } = lamp.status ?? {};
  const message = 'All bulbs shine as asked.';
  const shines = { ...view, lamp: { ...lamp, status } };
  return {
    actions: [
      journal(
        shines,
        { is: 'ready', reason: 'Shining', message },
        {
          transition: undefined,
          reconciledSpec: lamp.spec,
          selector: `${batchLabel}=${batchOf(transition)}`,
          phase: view.bulbs.length > 0 ? 'Shining' : 'Dark',
          replicas: view.bulbs.length,
          counter: transition.measured ?? lamp.status?.counter ?? 0,
        },
      ),
      { do: 'event', about: refTo(lamp), reason: 'Shining', note: message },
    ],
    because: message,
  };
}

function carryOn(view: LampView, transition: Transition, message: string): Action {
  const standing = { is: 'reconciling', serving: view.bulbs.length > 0, reason: 'SpecChanged', message } as const;
  return journal(view, standing, { transition });
}

/** The bulbs of this transition, and all others. */
export function sides(
  view: LampView,
  { id }: Transition,
): { readonly target: readonly Bulb[]; readonly serving: readonly Bulb[] } {
  return {
    target: view.bulbs.filter((b) => b.transition === id),
    serving: view.bulbs.filter((b) => b.transition !== id),
  };
}

export function missingOrdinals(bulbs: readonly Bulb[], wanted: number): number[] {
  const present = new Set(bulbs.map((b) => b.ordinal));
  return Array.from({ length: wanted }, (_, ordinal) => ordinal).filter((ordinal) => !present.has(ordinal));
}
