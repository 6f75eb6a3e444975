import type { CallAction } from '../decision.ts';
import { type Did, type Hands, Stale } from './hands.ts';
import type { Journal } from './journal.ts';

/**
 * Calls a port, if the stored status holds the id of the call.
 *
 * The id of something that is over is no longer in the journal, whatever a cache shows.
 */
export async function call(
  action: CallAction,
  key: string,
  journal: Journal,
  hands: Hands,
  signal: AbortSignal,
): Promise<Did> {
  if (hands.calls.isDone(key, action)) return 'skipped';
  if (!holds(await journal.prove(hands, signal), action.id)) {
    throw new Stale(`the stored status does not hold ${action.id}: ${action.port}.${action.verb} is not called`);
  }
  await hands.calls.run(key, action, signal);
  return 'acted';
}

/** Whether `id` is one of the keys or strings in `value`, at any depth. */
function holds(value: unknown, id: string): boolean {
  if (value === id) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) => key === id || holds(item, id));
}
