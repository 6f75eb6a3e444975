import type { KubeObject } from '../../kube/object.ts';
import { isOwnedBy } from '../manifests/owned-by.ts';

/** What was found under a name, if it belongs to its owner. Names are not identities. */
export function ours<T extends KubeObject>(found: T | undefined, owner: KubeObject): T | undefined {
  return found && isOwnedBy(found, owner) ? found : undefined;
}
