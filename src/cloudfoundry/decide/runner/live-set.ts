import { annotations, labels } from '../../keys.ts';
import type { StatefulSet } from '../../observe/kube-shapes.ts';

/** What counts of a StatefulSet as the server has it. */
export interface LiveSet {
  /** The app revision of its template. */
  readonly version: string;
  readonly replicas: number;
  readonly partition: number;
  readonly maxUnavailable?: number | string;
  /** By how much it was made larger to roll; absent while it does not roll. */
  readonly surge?: number;
  /** Whether it can replace several pods at once. A server that cannot drops the field; one that can fills it in. */
  readonly grants: boolean;
  /** Whether its controller has seen its present spec. */
  readonly observed: boolean;
  /** Whether moreover every pod there is was made from its present template, and none of them is ending. */
  readonly rolled: boolean;
}

export function liveSet({ metadata, spec = {}, status }: StatefulSet): LiveSet {
  const { type = 'RollingUpdate', rollingUpdate } = spec.updateStrategy ?? {};
  const { partition = 0, maxUnavailable } = rollingUpdate ?? {};
  const surge = metadata.annotations?.[annotations.surge];
  const observed = status?.observedGeneration !== undefined && status.observedGeneration === metadata.generation;
  return {
    version: spec.template?.metadata?.labels?.[labels.version] ?? metadata.labels?.[labels.version] ?? '',
    replicas: spec.replicas ?? 1,
    partition,
    ...(maxUnavailable !== undefined && { maxUnavailable }),
    ...(surge !== undefined && { surge: /^\d{1,9}$/.test(surge) ? Number(surge) : 0 }),
    grants: type !== 'RollingUpdate' || maxUnavailable !== undefined,
    observed,
    rolled: observed && (status?.updatedReplicas ?? 0) === (status?.replicas ?? 0),
  };
}
