import type { ObjectMeta } from '../../kube/object.ts';

const units = [
  { letter: 'd', seconds: 86_400 },
  { letter: 'h', seconds: 3600 },
  { letter: 'm', seconds: 60 },
] as const;

/** `5s`, `12m`, `3h`, `9d`: in the largest unit of which there are two. */
export function ageOf({ creationTimestamp }: ObjectMeta, now: number): string {
  return ageSince(creationTimestamp, now);
}

/** As `ageOf`, since a time of RFC 3339; empty when that is none. */
export function ageSince(time: string | undefined, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(time ?? '')) / 1000));
  if (Number.isNaN(seconds)) return '';
  const unit = units.find((one) => seconds >= 2 * one.seconds);
  return unit ? `${Math.floor(seconds / unit.seconds)}${unit.letter}` : `${seconds}s`;
}
