import { type PatchAction, refTo } from '../../../control/decision.ts';
import type { Json } from '../../../kube/object.ts';
import type { StatefulSet } from '../../observe/kube-shapes.ts';
import type { AppWorkload } from '../../resources/app-workload.ts';
import type { LiveSet } from './live-set.ts';

/**
 * Takes off a StatefulSet the owner that it was made with: see `bornOf`. Not before Kubernetes has taken note of it: until then it
 * is written by both.
 */
export function weaned({ metadata }: AppWorkload, set: StatefulSet, { observed }: LiveSet): readonly PatchAction[] {
  const { ownerReferences = [] } = set.metadata;
  const others = ownerReferences.filter(({ uid, controller }) => uid !== metadata.uid || controller === true);
  if (!observed || others.length === ownerReferences.length) return [];
  const path = '/metadata/ownerReferences';
  const patch =
    others.length === 0
      ? { op: 'remove' as const, path }
      : { op: 'add' as const, path, value: others as unknown as Json };
  return [{ do: 'patch', of: refTo(set), patch: [patch] }];
}
