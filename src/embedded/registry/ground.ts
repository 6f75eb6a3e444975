import type { Clock } from '../../clock/clock.ts';
import type { Random } from '../../clock/random.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { Admission, Authorizer, User } from '../gate.ts';
import type { ServedResource, StrategyContext } from '../resource.ts';
import type { Store } from '../store/store.ts';

/** What all verbs stand on. */
export interface Ground {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly admission: Admission;
  readonly authorizer: Authorizer;
  /** The cluster as strategies of kinds may see it. */
  readonly context: StrategyContext;
}

/** A request about a resource, once it is known who asks, what they mean, and that they may. */
export interface Call {
  readonly user: User;
  readonly resource: ServedResource;
  /** Empty for the main resource. */
  readonly subresource: string;
  /** Empty for cluster-scoped resources, and for collections over all namespaces. */
  readonly namespace: string;
  /** Empty for collections. */
  readonly name: string;
  /** Adds a text to the `Warning` headers of the answer. */
  warn(text: string): void;
}

/** What a verb answers. */
export interface Outcome {
  readonly code: number;
  /** Frozen, in the version that was asked for. */
  readonly object: AnyObject;
  /** The same as text. */
  readonly json: string;
}
