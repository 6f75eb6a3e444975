import type { Container, Pod, PodTemplate, Volume } from '../../kinds/objects/pod.ts';
import type { PersistentVolumeClaim } from '../../kinds/objects/storage.ts';
import type { StatefulSet } from '../../kinds/objects/workload.ts';
import { revisionLabel } from '../controller-revisions.ts';
import { podFrom } from '../pods.ts';

const podNameLabel = 'statefulset.kubernetes.io/pod-name';
const indexLabel = 'apps.kubernetes.io/pod-index';

/** The number at the end of a pod's name; undefined when it is no pod of this set's kind. */
export function ordinalOf(set: StatefulSet, pod: Pod): number | undefined {
  const prefix = `${set.metadata.name}-`;
  const name = pod.metadata.name ?? '';
  const digits = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^(0|[1-9]\d*)$/.test(digits) ? Number(digits) : undefined;
}

export const firstOrdinal = (set: StatefulSet): number => set.spec.ordinals?.start ?? 0;

/** The pod with this number, made from this version of the template. */
export function podAt(set: StatefulSet, template: PodTemplate, revision: string, ordinal: number): Pod {
  const name = `${set.metadata.name}-${ordinal}`;
  const pod = podFrom(template, set, { name });
  const claims = (set.spec.volumeClaimTemplates ?? []).map((claim) => claimVolume(set, claim, ordinal));
  const own = (pod.spec.volumes ?? []).filter((volume) => !claims.some((claim) => claim.name === volume.name));
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: {
        ...pod.metadata.labels,
        [revisionLabel]: revision,
        [podNameLabel]: name,
        [indexLabel]: String(ordinal),
      },
    },
    spec: {
      ...pod.spec,
      hostname: name,
      ...(set.spec.serviceName && { subdomain: set.spec.serviceName }),
      ...(claims.length > 0 && { volumes: [...claims, ...own] }),
      containers: pod.spec.containers as readonly Container[],
    },
  };
}

const claimName = (set: StatefulSet, claim: PersistentVolumeClaim, ordinal: number): string =>
  `${claim.metadata.name}-${set.metadata.name}-${ordinal}`;

const claimVolume = (set: StatefulSet, claim: PersistentVolumeClaim, ordinal: number): Volume => ({
  name: claim.metadata.name ?? '',
  persistentVolumeClaim: { claimName: claimName(set, claim, ordinal) },
});

/** The claims of the pod with this number. They outlive it: the next pod of the same number finds them again. */
export function claimsAt(set: StatefulSet, ordinal: number): readonly PersistentVolumeClaim[] {
  return (set.spec.volumeClaimTemplates ?? []).map((template) => {
    const { status: _, ...claim } = template;
    return {
      ...claim,
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        ...claim.metadata,
        name: claimName(set, claim, ordinal),
        namespace: set.metadata.namespace ?? '',
        labels: { ...claim.metadata.labels, ...set.spec.selector.matchLabels },
      },
    };
  });
}
