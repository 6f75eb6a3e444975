import type { KubeObject } from '../../../kube/object.ts';

/** A ConfigMap or Secret that pods of a workload read, in the namespace of the workload. */
export interface Dependency {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
}

/** What a pod template takes of one of them. */
export interface PartialDependency extends Dependency {
  /** Only these keys; absent: all of it. */
  readonly keys?: readonly string[];
}

/** Finds what a pod template refers to; `undefined` if there is no such object. */
export type DependencyReader = (dependency: Dependency) => KubeObject | undefined;

/** In the order that KUDO's hash is taken in: by kind, then by name. */
export function inOrder(a: Dependency, b: Dependency): number {
  if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1;
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}
