import type { Action } from '../../../src/control/decision.ts';
import type { Color } from '../../../src/flink/resources/blue-green-transition.ts';
import type { FlinkBlueGreenDeployment } from '../../../src/flink/resources/flink-blue-green-deployment.ts';
import type { FlinkDeployment, FlinkDeploymentSpec } from '../../../src/flink/resources/flink-deployment.ts';
import type { FlinkStateSnapshot } from '../../../src/flink/resources/flink-state-snapshot.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import type { Request } from './server.ts';

/** Names that the decision knows as well. */
export const resourceName = 'app';
export const resourceUid = 'uid0';
export const namespace = 'ns';

/** What the API server holds, by the kinds that the operator watches. */
export interface Cluster {
  readonly resource: FlinkBlueGreenDeployment | undefined;
  readonly sides: Readonly<Record<Color, Child | undefined>>;
  readonly ingresses: Readonly<Record<'active' | 'preview', AnyObject | undefined>>;
  readonly snapshots: readonly FlinkStateSnapshot[];
}

/** Each has a cache of its own, and each cache may lag behind the others. */
export type CacheOf = keyof Cluster;
export const caches: readonly CacheOf[] = ['resource', 'sides', 'ingresses', 'snapshots'];

/** A FlinkDeployment, and what whoever manages it has made of it. */
export interface Child {
  readonly object: FlinkDeployment;
  /** The spec that its status speaks of; absent before it was first looked at. */
  readonly deployed: FlinkDeploymentSpec | undefined;
}

/** A cache that did not follow: the next look is at what was there before. After that it has caught up. */
export interface Lag {
  readonly cache: CacheOf;
  readonly seen: Cluster[CacheOf];
}

/** A decision that is being carried out. */
export interface Run {
  readonly actions: readonly Action[];
  /** The version of the resource that was decided on. */
  readonly version: string;
  /** That version was the stored one when the first effect began. */
  readonly proven: boolean;
  /** What the view showed, for those who judge. */
  readonly saw: Saw;
}

export interface Saw {
  readonly traffic: Color | undefined;
  readonly ready: Readonly<Record<Color, boolean>>;
  readonly uids: Readonly<Record<Color, string | undefined>>;
  /** The user wants the job suspended. */
  readonly suspended: boolean;
  /** The user wants something else than what the target was made for. */
  readonly edited: boolean;
  /** The resource is being deleted. */
  readonly deleting: boolean;
}

export interface InFlight {
  readonly request: Request;
  readonly saw: Saw;
}

/** What may still go wrong, or be asked for. */
export interface Budget {
  /** Changes by people. */
  readonly edits: number;
  /** Deaths of the operator between any two of its requests. */
  readonly crashes: number;
  /** Requests that take effect without anybody hearing of it. One that has none is like a death before it. */
  readonly lost: number;
  /** Requests that nobody waits for any more when they take effect. */
  readonly late: number;
  /** Looks at what was there before. */
  readonly stale: number;
  /** Jobs and savepoints that fail by themselves. */
  readonly failures: number;
  /** Times that a clock runs out although something would still have happened. */
  readonly slow: number;
}

/** What really happened, for those who judge. The operator does not see it. */
export interface Ghost {
  /** The uid of the side that last was ready while traffic went to it, and since when. */
  readonly server: string | undefined;
  readonly since: string | undefined;
  /** Those that were it before in this transition, for a way back. */
  readonly formers: readonly string[];
  /** The side that was made in the transition under way, and what from. */
  readonly target: string | undefined;
  readonly source: Source | undefined;
  /** What a nonce asked for in a transition that was given up: it may act once more, with a mended template. */
  readonly vain: Source | undefined;
  /** Savepoints asked for in the transition under way; with a path once they are complete. */
  readonly savepoints: readonly TakenSavepoint[];
  /** Redeploy nonces that some side was made for, or was given in place. */
  readonly acted: Acted;
  /** For each pair of values that the redeploy nonces had: the one that the user had changed last. */
  readonly asked: Readonly<Record<string, keyof Acted>>;
  /** A redeploy nonce was changed before the operator had taken up the edit before: nobody can tell which was the last. */
  readonly unseen: boolean;
}

export interface Acted {
  readonly savepoint: number | undefined;
  readonly stateless: number | undefined;
}

export interface Source {
  readonly path: string | undefined;
  readonly why: 'first' | 'nonce' | 'stateless' | 'savepoint' | 'checkpoint';
}

export interface TakenSavepoint {
  readonly name: string;
  readonly path: string | undefined;
  readonly uid: string | undefined;
}

/** Everything there is, at one moment. Never changed: every move makes another. */
export interface World {
  readonly now: number;
  /** Makes names that nothing had before. */
  readonly counter: number;
  readonly cluster: Cluster;
  readonly lag: Lag | undefined;
  readonly run: Run | undefined;
  /** A request that was sent, and has not arrived. Nobody waits for it any more. */
  readonly inFlight: InFlight | undefined;
  readonly ghost: Ghost;
  readonly left: Budget;
}

export const epoch = Date.parse('2026-01-01T00:00:00Z');

/** A resource that was just written, and nothing else. */
export function newWorld(spec: FlinkBlueGreenDeployment['spec'], left: Budget): World {
  const job = spec.template?.spec?.job;
  return {
    now: epoch,
    counter: 1,
    cluster: {
      resource: {
        apiVersion: 'flink.apache.org/v1beta1',
        kind: 'FlinkBlueGreenDeployment',
        metadata: { name: resourceName, namespace, uid: resourceUid, resourceVersion: 'rv0', generation: 1 },
        spec,
      },
      sides: { BLUE: undefined, GREEN: undefined },
      ingresses: { active: undefined, preview: undefined },
      snapshots: [],
    },
    lag: undefined,
    run: undefined,
    inFlight: undefined,
    ghost: {
      server: undefined,
      since: undefined,
      formers: [],
      target: undefined,
      source: undefined,
      vain: undefined,
      savepoints: [],
      acted: { savepoint: job?.savepointRedeployNonce, stateless: job?.statelessRedeployNonce },
      asked: {},
      unseen: false,
    },
    left,
  };
}

/** The seen and the unseen: what this process knows of the cluster. */
export function seenBy({ cluster, lag }: Pick<World, 'cluster' | 'lag'>): Cluster {
  return lag ? { ...cluster, [lag.cache]: lag.seen } : cluster;
}

/** The job runs, and whoever manages it is content. */
export function isReady(child: Child | undefined): boolean {
  if (!child || child.object.metadata.deletionTimestamp) return false;
  const { spec, status } = child.object;
  return (
    spec.job?.state !== 'suspended' && status?.jobStatus?.state === 'RUNNING' && status.lifecycleState === 'STABLE'
  );
}

export function uidOf(child: Child | undefined): string | undefined {
  return child?.object.metadata.uid;
}

/** The side that requests from outside get to: where the Ingress leads, or, without one, what external routing follows. */
export function trafficOf({ resource, ingresses }: Cluster): Color | undefined {
  const { active } = ingresses;
  if (resource?.spec.ingress && active) return backendOf(active);
  return resource?.status?.serving?.color;
}

export function backendOf(ingress: AnyObject): Color | undefined {
  const text = JSON.stringify(ingress.spec);
  if (text.includes(`"${resourceName}-blue-rest"`)) return 'BLUE';
  return text.includes(`"${resourceName}-green-rest"`) ? 'GREEN' : undefined;
}
