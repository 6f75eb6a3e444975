import { hash } from 'node:crypto';
import { anonymous } from './text.ts';
import type { Budget, World } from './world/world.ts';

/** The same for worlds that behave the same, whatever may still go wrong in them. */
export function keyOf({ now, cluster, lag, run, inFlight, ghost }: World): string {
  const { resource, sides, ingresses, snapshots } = cluster;
  const parts = [
    resource,
    sides.BLUE,
    sides.GREEN,
    ingresses.active,
    ingresses.preview,
    snapshots,
    ghost,
    inFlight,
    ...(lag ? [lag.cache, lag.seen] : []),
    ...(run ? ['run', run.version, String(run.proven), run.saw, ...run.actions] : []),
  ];
  return hash('sha1', anonymous(parts, now), 'base64');
}

const fields = [
  'edits',
  'crashes',
  'lost',
  'late',
  'stale',
  'failures',
  'slow',
] as const satisfies readonly (keyof Budget)[];
const bits = 4;

/** A budget as one number. No part of it may be more than 15. */
export function packed(budget: Budget): number {
  return fields.reduce((sum, field) => (sum << bits) | budget[field], 0);
}

/** Whether the one leaves at least as much of everything as the other. */
export function covers(one: number, other: number): boolean {
  for (let shift = 0; shift < fields.length * bits; shift += bits) {
    if (((one >> shift) & 15) < ((other >> shift) & 15)) return false;
  }
  return true;
}

export function spentIn(start: Budget, now: Budget): number {
  return fields.reduce((sum, field) => sum + start[field] - now[field], 0);
}
