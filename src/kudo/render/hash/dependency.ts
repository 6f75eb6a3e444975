import type { KubeObject } from '../../../kube/object.ts';

/** A ConfigMap or Secret that pods of a workload read, in the namespace of the workload. */
export interface Dependency {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
}

/** Finds what a pod template refers to; `undefined` if there is no such object. */
export type DependencyReader = (dependency: Dependency) => KubeObject | undefined;
