import { same } from '../../kinds/checks.ts';
import type { Deployment, ReplicaSet } from '../../kinds/objects/workload.ts';
import { instantOf } from '../../timestamp.ts';

export const revisionAnnotation = 'deployment.kubernetes.io/revision';
const historyAnnotation = 'deployment.kubernetes.io/revision-history';
const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas';
const maxAnnotation = 'deployment.kubernetes.io/max-replicas';
export const hashLabel = 'pod-template-hash';

/** Annotations that belong to one object alone and are not handed down. */
const notInherited = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  maxAnnotation,
  'deprecated.deployment.rollback.to',
]);

/** The ReplicaSets of a Deployment, told apart: the one whose template is the Deployment's, and the others. */
export interface Generations {
  readonly current: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
}

/** Oldest first. Of several that match, the oldest is the current one. */
export function generationsOf(deployment: Deployment, sets: readonly ReplicaSet[]): Generations {
  const byAge = sets.toSorted(
    (a, b) =>
      instantOf(a.metadata.creationTimestamp) - instantOf(b.metadata.creationTimestamp) ||
      ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1),
  );
  const current = byAge.find((set) => hasTemplateOf(set, deployment));
  return { current, old: byAge.filter((set) => set !== current) };
}

function hasTemplateOf(set: ReplicaSet, deployment: Deployment): boolean {
  const { [hashLabel]: _, ...labels } = set.spec.template.metadata?.labels ?? {};
  const template = { ...set.spec.template, metadata: { ...set.spec.template.metadata, labels } };
  return same(template, deployment.spec.template);
}

export function revisionOf(set: ReplicaSet | Deployment | undefined): number {
  return Number(set?.metadata.annotations?.[revisionAnnotation] ?? 0) || 0;
}

export function highestRevision(sets: readonly ReplicaSet[]): number {
  return Math.max(0, ...sets.map(revisionOf));
}

/** How many replicas the Deployment wanted when this ReplicaSet was last scaled. */
export function desiredOf(set: ReplicaSet): number | undefined {
  const text = set.metadata.annotations?.[desiredAnnotation];
  return text === undefined ? undefined : Number(text);
}

/** What the Deployment's size allowed in all when this ReplicaSet was last scaled. */
export function maxOf(set: ReplicaSet): number | undefined {
  const text = set.metadata.annotations?.[maxAnnotation];
  return text === undefined ? undefined : Number(text);
}

export function sizeAnnotations(desired: number, max: number): Readonly<Record<string, string>> {
  return { [desiredAnnotation]: String(desired), [maxAnnotation]: String(max) };
}

/** The annotations of the current ReplicaSet: the Deployment's, its revision, and the revisions it had before. */
export function currentAnnotations(
  deployment: Deployment,
  set: ReplicaSet | undefined,
  revision: number,
): Readonly<Record<string, string>> {
  const inherited = Object.entries(deployment.metadata.annotations ?? {}).filter(([name]) => !notInherited.has(name));
  const own = Object.entries(set?.metadata.annotations ?? {}).filter(([name]) => notInherited.has(name));
  const before = revisionOf(set);
  const annotations: Record<string, string> = { ...Object.fromEntries([...inherited, ...own]) };
  if (before >= revision) return annotations;
  annotations[revisionAnnotation] = String(revision);
  if (before > 0) {
    const history = annotations[historyAnnotation];
    annotations[historyAnnotation] = history ? `${history},${before}` : String(before);
  }
  return annotations;
}
