import { type Decision, refTo } from '../../src/control/decision.ts';
import type { Lamp } from './resource.ts';
import { essence, journal } from './status.ts';
import { type LampView, servingBatch, type Transition } from './view.ts';

/** A new spec: the intent is written down under a fresh id before anything is done about it. */
export function begin(view: LampView, from = servingBatch(view.lamp)): Decision {
  const { lamp, bulbs } = view;
  const attempt = (lamp.status?.attempt ?? 0) + 1;
  const transition: Transition = {
    id: `${lamp.metadata.uid}-${attempt}`,
    kind: restartIsEnough(lamp) && from !== undefined ? 'restart' : 'light',
    spec: essence(lamp.spec),
    ...(from !== undefined && { from }),
    ...(from === undefined || stateless(lamp) ? { measured: 0 } : {}),
  };
  const message =
    from === undefined ? 'The first bulbs are being made.' : 'New bulbs are being made; the old ones shine.';
  const standing = { is: 'reconciling', serving: bulbs.length > 0, reason: 'SpecChanged', message } as const;
  return {
    actions: [
      journal(view, standing, { attempt, transition, phase: 'Warming' }),
      { do: 'event', about: refTo(lamp), reason: 'SpecChanged', note: message },
    ],
    because: message,
  };
}

/** Only the nonce or the brightness changed. */
function restartIsEnough(lamp: Lamp): boolean {
  const before = lamp.status?.reconciledSpec as Lamp['spec'] | undefined;
  if (!before) return false;
  const { restartNonce, brightness } = before;
  const { restartNonce: _nonce, brightness: _brightness, ...rest } = lamp.spec;
  const same = {
    ...rest,
    ...(restartNonce !== undefined && { restartNonce }),
    ...(brightness !== undefined && { brightness }),
  };
  return essence(same as Lamp['spec']) === essence(before);
}

function stateless(lamp: Lamp): boolean {
  const before = lamp.status?.reconciledSpec as Lamp['spec'] | undefined;
  return before?.statelessRedeployNonce !== lamp.spec.statelessRedeployNonce;
}
