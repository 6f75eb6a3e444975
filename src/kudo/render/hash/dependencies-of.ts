import type { KubeObject } from '../../../kube/object.ts';
import { type Reference, referencesOf } from '../../graph/references.ts';
import { workloadOf } from '../../graph/workload.ts';
import type { Dependency, PartialDependency } from './dependency.ts';

/** The ConfigMaps and Secrets that pods of an object read, each once; none for an object without pods. */
export function dependenciesOf(object: KubeObject): readonly Dependency[] {
  const { mounted, others } = dependenciesOfPods(workloadOf(object)?.podSpec);
  const all = [...mounted, ...others].map(({ kind, name }): [string, Dependency] => [
    `${kind}/${name}`,
    { kind, name },
  ]);
  return [...new Map(all).values()];
}

export interface Dependencies {
  /** Those that KUDO's hash covers: volumes and the secrets for pulling images. As often as they are named. */
  readonly mounted: readonly Dependency[];
  /** Those that it leaves out: variables, and volumes that join several sources. */
  readonly others: readonly PartialDependency[];
}

/** What pods with this spec read, in no order that matters. */
export function dependenciesOfPods(podSpec: unknown): Dependencies {
  const references = referencesOf(podSpec).filter(isDependency);
  const mounted = references.filter(({ by }) => by === 'volume' || by === 'imagePullSecret');
  const others = references.filter((reference) => !mounted.includes(reference));
  return {
    mounted: mounted.map(({ kind, name }) => ({ kind, name })),
    others: others.map(({ kind, name, keys }) => ({ kind, name, ...(keys && { keys }) })),
  };
}

function isDependency(reference: Reference): reference is Reference & Dependency {
  return reference.kind === 'ConfigMap' || reference.kind === 'Secret';
}
