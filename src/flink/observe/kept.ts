import type { AnyObject } from '../../kube/object.ts';
import type { ConfigMap, Deployment, Pod } from './kube-shapes.ts';

/**
 * What is kept of Kubernetes' own objects beside their metadata: what is looked at. There may be thousands, and most of
 * each is what we wrote there ourselves.
 */
export const kept = {
  process(object: AnyObject): object {
    const { spec = {}, status = {} } = object as Deployment;
    const { availableReplicas, conditions } = status;
    return { spec: { replicas: spec.replicas }, status: { availableReplicas, conditions } };
  },

  pod(object: AnyObject): object {
    const { phase, conditions, containerStatuses, initContainerStatuses } = (object as Pod).status ?? {};
    return { status: { phase, conditions, containerStatuses, initContainerStatuses } };
  },

  /** Only which keys there are: the values are configuration, or metadata that Flink alone understands. */
  configMap(object: AnyObject): object {
    const keys = Object.keys((object as ConfigMap).data ?? {});
    return { data: Object.fromEntries(keys.map((key) => [key, ''])) };
  },

  nothing: (): object => ({}),
};
