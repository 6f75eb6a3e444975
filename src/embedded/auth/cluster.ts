import type { StrategyContext } from '../resource.ts';
import type { Change } from '../world.ts';

/** What of the cluster the gates read: objects as they are now, frozen. */
export type Cluster = Pick<StrategyContext, 'read' | 'all'>;

/** The same, with news. The handler hears every change after it can be read; the result ends it. */
export interface WatchedCluster extends Cluster {
  watch(group: string, plural: string, handler: (change: Change) => void): () => void;
}

export const rbacGroup = 'rbac.authorization.k8s.io';
