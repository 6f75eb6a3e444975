import { activeRows } from './active.ts';
import type { BlueGreenCase, Place } from './blue-green-case.ts';
import { initializingRows } from './initializing.ts';
import type { Row } from './row.ts';
import { savepointingRows } from './savepointing.ts';
import { transitioningRows } from './transitioning.ts';

/**
 * States and changes. The first row of the present state that applies decides; the last row of each state always does. The
 * table in the documentation is made of these very rows.
 */
export const table: readonly Row[] = [
  ...initializingRows,
  ...activeRows,
  // A case in these states has a transition: that is what these states are.
  ...(savepointingRows as readonly Row[]),
  ...(transitioningRows as readonly Row[]),
];

const byPlace: Readonly<Record<Place, readonly Row[]>> = {
  initializing: table.filter((row) => row.in === 'initializing'),
  active: table.filter((row) => row.in === 'active'),
  savepointing: table.filter((row) => row.in === 'savepointing'),
  transitioning: table.filter((row) => row.in === 'transitioning'),
};

/** The row that decides. */
export function rowFor(c: BlueGreenCase): Row {
  const rows = byPlace[c.place];
  return rows.find((row) => row.when(c)) ?? (rows[rows.length - 1] as Row);
}
