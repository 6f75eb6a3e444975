import { isKubeError } from '../../kube/error.ts';
import type { ObjectName } from '../../kube/path.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import type { CallAction } from '../decision.ts';
import { type Did, type Hands, Stale } from './hands.ts';

/** Where the intent of a call must be written before the call is made. */
export interface Journal {
  readonly type: ResourceType;
  readonly name: ObjectName;
  /** The status as this decision has just written it; absent when it wrote none. */
  readonly written?: unknown;
}

/**
 * Calls a port, if the stored status holds the id of the call.
 *
 * A status that this decision has just written is known to be stored. Otherwise the server itself is asked: a cache may
 * lag behind, and an id that is no longer in the journal belongs to something that is over.
 */
export async function call(
  action: CallAction,
  key: string,
  journal: Journal,
  hands: Hands,
  signal: AbortSignal,
): Promise<Did> {
  if (hands.calls.isDone(key, action)) return 'skipped';
  const status = journal.written ?? (await storedStatus(journal, hands, signal));
  if (!holds(status, action.id)) {
    throw new Stale(`the stored status does not hold ${action.id}: ${action.port}.${action.verb} is not called`);
  }
  await hands.calls.run(key, action, signal);
  return 'acted';
}

async function storedStatus(journal: Journal, hands: Hands, signal: AbortSignal): Promise<unknown> {
  try {
    return (await hands.client.resource(journal.type).get(journal.name, { signal })).status;
  } catch (error) {
    if (isKubeError(error, 'not-found')) return undefined;
    throw error;
  }
}

/** Whether `id` is one of the keys or strings in `value`, at any depth. */
function holds(value: unknown, id: string): boolean {
  if (value === id) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) => key === id || holds(item, id));
}
