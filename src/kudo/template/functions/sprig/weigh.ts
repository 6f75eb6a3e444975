import { FunctionFailure, type Room } from '../../function.ts';
import type { GoValue } from '../../value.ts';
import { chargeItems, isSlice, itemsOf } from './slices.ts';

/** Go's stack would bear more, JavaScript's would not; no manifest is nested like this. */
const DEEPEST = 500;

/**
 * Pays for a walk through a whole value before it is taken. A dict that holds another one twice, which holds another one
 * twice, … prints exponentially long, and one that holds itself never ends: in Go both take the process with them.
 */
export function weigh(value: GoValue, room: Pick<Room, 'charge'>, depth = 0): void {
  if (typeof value === 'string') room.charge(value.length + 1);
  else if (isSlice(value)) {
    const items = itemsOf(value);
    chargeItems(items.length + 1, room);
    deeper(depth);
    for (const item of items) weigh(item, room, depth + 1);
  } else if (value instanceof Map) {
    chargeItems(value.size + 1, room);
    deeper(depth);
    for (const [key, item] of value) {
      room.charge(key.length);
      weigh(item, room, depth + 1);
    }
  } else room.charge(1);
}

function deeper(depth: number): void {
  if (depth < DEEPEST) return;
  throw new FunctionFailure(`the value is nested deeper than ${DEEPEST} levels, or contains itself`);
}
