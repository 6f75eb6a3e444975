import { annotations as control } from '../../control/annotations.ts';
import type { KubeObject } from '../../kube/object.ts';
import { labels } from '../keys.ts';
import type { StatefulSet } from '../observe/kube-shapes.ts';
import type { AppWorkload } from '../resources/app-workload.ts';

/**
 * Half of an app's instances stay when nodes are emptied. It bears the StatefulSet's name, goes with it, and is never
 * changed: half stays half, however many there are.
 */
export function disruptionBudget({ spec }: AppWorkload, set: StatefulSet): KubeObject {
  const { name = '', namespace = '', uid = '' } = set.metadata;
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: {
      name,
      namespace,
      labels: { [labels.guid]: spec.GUID, [labels.version]: spec.version },
      annotations: { [control.id]: `${uid}-disruption-budget` },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'StatefulSet', name, uid, controller: true, blockOwnerDeletion: true },
      ],
    },
    spec: {
      minAvailable: '50%',
      selector: { matchLabels: set.spec?.selector?.matchLabels ?? { [labels.guid]: spec.GUID } },
    },
  } as KubeObject;
}
