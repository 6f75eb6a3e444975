import { equal } from '../../../change/equal.ts';
import type { PatchAction } from '../../../control/decision.ts';
import type { Json } from '../../../kube/object.ts';
import type { Environments } from '../../observe/cf-deployment-view.ts';

/** What becomes of the environment that users set when a deployment is canceled. */
export type RestoredEnv =
  /** It is as it was before the deployment. */
  | { readonly is: 'previous' }
  /** It is to be written. */
  | { readonly is: 'restore'; readonly action: PatchAction }
  /** Somebody has edited it since, or nothing is known of before: it stays as it is. */
  | { readonly is: 'kept' };

/**
 * A cancel gives the app the environment of the revision that it returns to, but only if nobody has edited it since the
 * canceled one was started: an edit is never lost.
 */
export function restoredEnv(environments: Environments | undefined): RestoredEnv {
  if (!environments?.previous || !environments.canceled) return { is: 'kept' };
  const { present, canceled, previous } = environments;
  if (equal(present.values, previous)) return { is: 'previous' };
  if (!equal(present.values, canceled)) return { is: 'kept' };
  const value = previous as unknown as Json;
  return { is: 'restore', action: { do: 'patch', of: present.of, patch: [{ op: 'add', path: '/data', value }] } };
}
