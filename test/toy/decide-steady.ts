import { type Action, type Decision, idle, refTo } from '../../src/control/decision.ts';
import { missingOrdinals } from './decide-transitioning.ts';
import { bulb, plan } from './manifests.ts';
import { journal, wantedBulbs } from './status.ts';
import { type LampView, servingBatch } from './view.ts';

/** No change is under way: as many bulbs as asked, no more and no fewer, and the plan as we left it. */
export function steady(view: LampView): Decision {
  const { lamp, bulbs } = view;
  const wanted = wantedBulbs(lamp.spec);
  const batch = servingBatch(lamp) ?? '';
  // None is under way, so the last one begun is the last one finished.
  const transition = `${lamp.metadata.uid}-${lamp.status?.attempt}`;
  const keep: Action = { do: 'apply', object: plan(lamp, batch) };
  const current = bulbs.filter((b) => b.transition === transition);
  const missing = missingOrdinals(current, wanted).map(
    (ordinal): Action => ({ do: 'create', object: bulb(lamp, transition, batch, ordinal) }),
  );
  // A request of an earlier transition may have arrived late: its bulb is nobody's.
  const excess = bulbs
    .filter((b) => b.ordinal >= wanted || b.transition !== transition)
    .map(({ ref }): Action => ({ do: 'delete', of: ref }));
  if (missing.length + excess.length > 0) {
    return { actions: [keep, ...missing, ...excess], because: `${wanted} bulbs are asked for` };
  }
  const phase = wanted > 0 ? 'Shining' : 'Dark';
  const upToDate = lamp.status?.observedGeneration === lamp.metadata.generation && lamp.status?.replicas === wanted;
  if (upToDate && lamp.status?.phase === phase) return { ...idle('all is as asked'), actions: [keep] };
  const message = wanted > 0 ? 'All bulbs shine as asked.' : 'The lamp is switched off.';
  const standing = { is: 'ready', reason: phase, message } as const;
  return {
    actions: [
      journal(view, standing, { transition: undefined, reconciledSpec: lamp.spec, phase, replicas: bulbs.length }),
      { do: 'event', about: refTo(lamp), reason: 'Scaled', note: message },
      keep,
    ],
    because: message,
  };
}
