import type { KubeObject } from '../../../kube/object.ts';
import { type Reference, referencesOf } from '../../graph/references.ts';

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

export interface Dependencies {
  /** Those that KUDO's hash covers: volumes and the secrets for pulling images. As often as they are named. */
  readonly mounted: readonly Dependency[];
  /** Those that it leaves out: variables, and volumes that join several sources. */
  readonly others: readonly PartialDependency[];
}

/** What pods with this spec read, in no order that matters. */
export function dependenciesOf(podSpec: unknown): Dependencies {
  const references = referencesOf(podSpec).filter(isDependency);
  const mounted = references.filter(({ by }) => by === 'volume' || by === 'imagePullSecret');
  const others = references.filter((reference) => !mounted.includes(reference));
  return {
    mounted: mounted.map(({ kind, name }) => ({ kind, name })),
    others: others.map(({ kind, name, keys }) => ({ kind, name, ...(keys && { keys }) })),
  };
}

/** In the order that KUDO's hash is taken in: by kind, then by name. */
export function inOrder(a: Dependency, b: Dependency): number {
  if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1;
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}

function isDependency(reference: Reference): reference is Reference & Dependency {
  return reference.kind === 'ConfigMap' || reference.kind === 'Secret';
}
