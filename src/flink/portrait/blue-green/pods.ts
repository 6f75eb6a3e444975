import { podPortrait } from '../../../portrait/of-pod.ts';
import type { PodPortrait } from '../../../portrait/portrait.ts';
import type { Color } from '../../resources/blue-green-transition.ts';
import type { ClusterParts } from '../cluster-parts.ts';
import { type Maker, podReasons } from '../pod-reasons.ts';
import type { BlueGreenLook } from './blue-green-look.ts';
import { deadlinesOf } from './deadlines.ts';
import { way, word } from './moments.ts';
import { roleOf } from './sides.ts';

/** The pods of one side: each was made for a transition, and goes when the side does. */
export function podsOf(l: BlueGreenLook, color: Color, parts: ClusterParts): readonly PodPortrait[] {
  const makers = makersOf(l, color);
  const will = goingSoon(l, color);
  return parts.pods.map((pod) => podPortrait(pod, { side: word(color), reasons: podReasons(pod, makers, will) }));
}

/** The transitions that made this side, or changed it. */
function makersOf(l: BlueGreenLook, color: Color): readonly Maker[] {
  const { transition, status } = l;
  const past = (status.history ?? [])
    .filter(({ to }) => to === color)
    .map(
      ({ from, to, because, startedAt, endedAt }): Maker => ({
        ...(from && { doing: `Made for ${word(from)} → ${word(to)}` }),
        because,
        startedAt,
        endedAt,
      }),
    );
  if (transition?.to !== color) return past;
  const { because, startedAt, from } = transition;
  return [{ ...(from && { doing: `Made for ${way(l)}` }), because, startedAt }, ...past];
}

function goingSoon(l: BlueGreenLook, color: Color): readonly string[] {
  const { transition, moment, status } = l;
  if (moment === 'deleting') return ['Goes with the resource, which is being deleted.'];
  const role = roleOf(l, color);
  const [next] = deadlinesOf(l);
  if (role === 'old' && transition) {
    const when = next?.what.startsWith(word(color)) ? `, not before ${next.at}` : '';
    return [`Will be deleted with ${word(color)}, once ${word(transition.to)} has taken over${when}.`];
  }
  if (role === 'serving' && transition && l.serving === transition.from) {
    return [`Will be deleted with ${word(color)}, if ${word(transition.to)} gets the traffic.`];
  }
  if (role === 'idle' && status.aborted?.color === color) {
    return [`Will be deleted by the next transition, or when the template is put back.`];
  }
  return [];
}
