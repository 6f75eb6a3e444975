import { isKubeError } from '../../kube/error.ts';
import type { PatchAction } from '../decision.ts';
import { unseal } from '../sealed.ts';
import { type Did, describe, type Hands, nameOfRef, Stale } from './hands.ts';
import type { Journal } from './journal.ts';

/**
 * Patches the object if it is still this one in this version. That proves the decision's own object only where it is the one that
 * is patched: what an old view of that one says must not be done to another, however well that other is known.
 */
export async function patch(action: PatchAction, journal: Journal, hands: Hands, signal: AbortSignal): Promise<Did> {
  const { of } = action;
  if (action.patch.length === 0) return 'skipped';
  const type = hands.kinds(of.apiVersion, of.kind);
  if (!journal.isOf(of)) await journal.prove(hands, signal);
  const body = [
    { op: 'test', path: '/metadata/uid', value: of.uid },
    { op: 'test', path: '/metadata/resourceVersion', value: of.resourceVersion },
    ...unseal(action.patch),
  ];
  try {
    const options = { fieldManager: hands.manager, signal };
    const written = await hands.client.resource(type).patch(nameOfRef(of), { type: 'json', body }, options);
    hands.mirror.wrote(type, written);
    journal.written(written);
    return 'acted';
  } catch (error) {
    if (patchDidNotFit(error)) throw new Stale(`${describe(of)} changed since it was observed`);
    throw error;
  }
}

/** A patch whose tests fail is answered with 422 and no causes; an object that became invalid names the fields. */
function patchDidNotFit(error: unknown): boolean {
  return isKubeError(error, 'refused') && error.status?.code === 422 && !error.status.details?.causes?.length;
}
