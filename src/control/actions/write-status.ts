import type { AnyObject } from '../../kube/object.ts';
import type { StatusAction } from '../decision.ts';
import { canonical } from '../digest.ts';
import { type Did, describe, type Hands, nameOfRef, Stale } from './hands.ts';
import type { Journal } from './journal.ts';

/** Replaces the status if the object is still this one in this version. Skipped when the status is this already. */
export async function writeStatus(
  action: StatusAction,
  journal: Journal,
  hands: Hands,
  signal: AbortSignal,
): Promise<Did> {
  const { of, status, manager = hands.manager } = action;
  const type = hands.kinds(of.apiVersion, of.kind);
  const seen = hands.mirror.peek(type, nameOfRef(of));
  if (seen && (seen.metadata.uid !== of.uid || seen.metadata.resourceVersion !== of.resourceVersion)) {
    throw new Stale(`${describe(of)} changed since it was observed`);
  }
  if (seen && isWritten(seen, action)) return 'skipped';
  const { apiVersion, kind, ...metadata } = of;
  const written = await hands.client
    .resource<AnyObject>(type)
    .status.update({ apiVersion, kind, metadata, status }, { fieldManager: manager, signal });
  hands.mirror.wrote(type, written);
  journal.written(written);
  return 'acted';
}

/** Whether the status is this already. */
export function isWritten(seen: AnyObject, { of, status }: StatusAction): boolean {
  return seen.metadata.uid === of.uid && canonical(seen.status ?? {}) === canonical(status);
}
