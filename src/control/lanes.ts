/**
 * How urgent a key is. A key in a higher lane is always served before one in a lower.
 *
 * - `edit`: a person (or their Git) changed the object itself, and waits.
 * - `change`: something the object depends on changed, a timer fell due, or a try failed.
 * - `resync`: nothing is known to have changed: the first list after a start, the periodic look at everything.
 */
export type Lane = 'edit' | 'change' | 'resync';

/** From the most urgent to the least. */
export const lanes: readonly Lane[] = ['edit', 'change', 'resync'];

/** The more urgent of two. */
export function urgent(a: Lane, b: Lane): Lane {
  return lanes.indexOf(a) < lanes.indexOf(b) ? a : b;
}
