import type { Finding } from '../../control/conditions.ts';
import type { AnyObject } from '../../kube/object.ts';

/** What `Ready` of an Instance says while no plan runs: of Deployments, StatefulSets, ReplicaSets, DaemonSets and Pods with its labels. */
export function readiness(_resources: readonly AnyObject[]): Finding {
  throw new Error('being built');
}
