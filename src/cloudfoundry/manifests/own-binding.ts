import type { KubeObject } from '../../kube/object.ts';
import { placesRoleName } from '../names.ts';
import type { RoleBinding, Subject } from '../observe/kube-shapes.ts';

const name = 'cutover-operator';

/** What lets the operator at the Secrets of a namespace: it is made only in those of organizations and spaces, and in the root's. */
export function ownBinding(operator: Subject, namespace: string): KubeObject {
  const binding: RoleBinding = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name, namespace },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: placesRoleName },
    subjects: [operator],
  };
  return binding;
}

/** Whether it is among these. Somebody may have made another one for the same account, which does as well. */
export function isBound(operator: Subject, bindings: readonly RoleBinding[]): boolean {
  return bindings.some(
    ({ metadata, roleRef, subjects = [] }) =>
      !metadata.deletionTimestamp &&
      roleRef?.kind === 'ClusterRole' &&
      roleRef.name === placesRoleName &&
      subjects.some(
        ({ kind, namespace, name: who }) =>
          kind === operator.kind && namespace === operator.namespace && who === operator.name,
      ),
  );
}
