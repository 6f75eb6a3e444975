import { annotations } from '../../control/annotations.ts';
import type { Action } from '../../control/decision.ts';
import type { KubeObject } from '../../kube/object.ts';
import { heritage, labels } from '../keys.ts';
import { instance as instanceKind } from '../resources/instance.ts';
import type { InstanceView } from './view.ts';

/** The Secret that keeps what an Instance's random template functions derive from, for as long as the Instance lives. */
export function keySecretName(instance: string): string {
  return `${instance}.kudo-random`;
}

/** The field of the Secret. */
export const keyField = 'key';

/** Keeps a fresh key, or one that was left behind, before any template is rendered with it. */
export function keepKey({ instance, randomKey }: InstanceView): Action | undefined {
  if (randomKey?.is !== 'fresh' && randomKey?.is !== 'orphaned') return undefined;
  const { name = '', namespace = '', uid = '' } = instance.metadata;
  const { apiVersion, type } = instanceKind;
  const ownerReferences = [{ apiVersion, kind: type.kind, name, uid, controller: true, blockOwnerDeletion: true }];
  if (randomKey.is === 'orphaned') {
    const patch = [{ op: 'add', path: '/metadata/ownerReferences', value: ownerReferences }] as const;
    return { do: 'patch', of: randomKey.secret, patch };
  }
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: keySecretName(name),
      namespace,
      labels: { [labels.heritage]: heritage, [labels.instance]: name },
      annotations: { [annotations.id]: `${uid}/random` },
      ownerReferences,
    },
    data: { [keyField]: randomKey.value },
  };
  return { do: 'create', object: secret as KubeObject };
}
