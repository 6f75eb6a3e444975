import { isObject, member } from '../../change/equal.ts';
import type { Kind } from '../../schema/kind.ts';
import type { Nonces } from '../resources/progress.ts';
import type { SpecCodec } from '../resources/recorded-spec.ts';
import type { Transition } from '../resources/transition.ts';

/** What is deployed and under way, as the status of a resource tells. */
export interface Standing<Spec> {
  readonly recorded?: Spec | undefined;
  readonly nonces?: Nonces | undefined;
  readonly transition?: Transition | undefined;
}

/**
 * Reads it. Total: what cannot be read tells nothing. A first deployment that has not come about yet is none: its spec may
 * still be changed in every way.
 */
export function standingOf<Spec>(kind: Kind, codec: SpecCodec<Spec>, status: unknown): Standing<Spec> {
  if (!isObject(status)) return {};
  const parsed = kind.status.parse({ nonces: member(status, 'nonces'), transition: member(status, 'transition') });
  return { ...(parsed.ok && (parsed.value as Standing<Spec>)), recorded: recordedIn(codec, status) };
}

function recordedIn<Spec>(codec: SpecCodec<Spec>, status: Readonly<Record<string, unknown>>): Spec | undefined {
  const reconciliation = member(status, 'reconciliationStatus');
  const text = isObject(reconciliation) ? member(reconciliation, 'lastReconciledSpec') : undefined;
  const read = typeof text === 'string' ? codec.read(text) : undefined;
  if (!read?.ok) return undefined;
  const pending = isObject(reconciliation) && member(reconciliation, 'state') === 'UPGRADING' && read.firstDeployment;
  return pending ? undefined : read.spec;
}
