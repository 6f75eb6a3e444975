import type { Context, Hono } from 'hono';
import type { Clock } from '../../clock/clock.ts';
import type { Random } from '../../clock/random.ts';
import type { Log } from '../../control/log.ts';
import type { Client } from '../../kube/client.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import type { Directory } from './directory.ts';

/** What handlers stand on. */
export interface Platform {
  /** The operator's own identity: to find things, never to decide what a caller may see or do. */
  readonly client: Client;
  readonly directory: Directory;
  readonly settings: CloudFoundrySettings;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Whether the directory has seen the cluster. Before that nobody would find anything, and be told that it is not there. */
  isReady(): boolean;
  /** Lays a written object over the operator's caches, so that the next request finds it. */
  wrote(type: ResourceType, object: AnyObject): void;
}

/** Who asks, and the way to act as him. */
export interface Caller {
  /** As Kubernetes knows him: `alice`, `system:serviceaccount:cf:dev`. */
  readonly name: string;
  readonly kind: 'User' | 'ServiceAccount';
  readonly groups: readonly string[];
  /** Speaks with his credentials. Close nothing: it is shared and pooled. */
  readonly client: Client;
}

/** What a handler finds in its context. */
export interface CfEnv {
  Variables: {
    /** Set on all paths but the public ones (root, info). */
    caller: Caller;
    /** The API's own address as the client sees it, without a slash at the end. */
    base: string;
    correlationId: string;
  };
}

export type CfContext = Context<CfEnv>;

/** Adds the paths of one resource. Paths are whole: `/v3/apps/:guid`. */
export type CfRoutes = (api: Hono<CfEnv>, platform: Platform) => void;
