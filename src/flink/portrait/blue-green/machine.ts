import type { Machine } from '../../../portrait/portrait.ts';
import { blueGreenStates } from '../../resources/flink-blue-green-deployment.ts';
import type { BlueGreenLook } from './blue-green-look.ts';

const half = (x: string, y: string): Machine['edges'] => [
  { from: `ACTIVE_${x}`, to: `SAVEPOINTING_${x}`, label: 'the template changed, with state' },
  { from: `ACTIVE_${x}`, to: `TRANSITIONING_TO_${y}`, label: 'no savepoint needed' },
  { from: `SAVEPOINTING_${x}`, to: `TRANSITIONING_TO_${y}`, label: 'savepoint complete' },
  { from: `SAVEPOINTING_${x}`, to: `ACTIVE_${x}`, label: 'taken back' },
  { from: `TRANSITIONING_TO_${y}`, to: `ACTIVE_${y}`, label: 'promoted' },
  { from: `TRANSITIONING_TO_${y}`, to: `ACTIVE_${x}`, label: 'aborted, rolled back or superseded' },
];

/** The states of a blue/green deployment and what leads from one to another. */
const edges: Machine['edges'] = [
  { from: 'INITIALIZING_BLUE', to: 'ACTIVE_BLUE', label: 'blue is ready' },
  ...half('BLUE', 'GREEN'),
  ...half('GREEN', 'BLUE'),
];

export function machineOf({ state }: Pick<BlueGreenLook, 'state'>): Machine {
  return { states: blueGreenStates.map((name) => ({ name, current: name === state })), edges };
}
