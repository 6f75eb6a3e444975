import type { AnyObject } from '../kube/object.ts';
import type { ResourceType } from '../kube/resource-type.ts';
import type { Surroundings } from './family.ts';
import type { Graph } from './graph.ts';
import type { Edit, Plan } from './plan.ts';
import type { Portrait } from './portrait.ts';
import type { Summary } from './summary.ts';
import type { Verb } from './verb.ts';

/**
 * A kind that people think of as something that runs. All functions are pure and total: they answer for any JSON, also for
 * objects that an older definition let in and for a status that somebody wrote by hand.
 */
export interface Workload {
  readonly type: ResourceType;
  /** How people name the kind beside its own name, in lower case: `flinkbgdep`, `app`. */
  readonly words: readonly string[];
  /** The kinds that `portray`, `plan` and verbs look at, in the object's namespace. Never Secrets. */
  readonly beside: readonly ResourceType[];
  summarize(object: AnyObject): Summary;
  portray(object: AnyObject, around: Around): Portrait;
  /** By the functions that decide for real. */
  plan(edit: Edit<AnyObject>, around: Around): Plan;
  readonly verbs: readonly Verb[];
  /** The name of the object of this kind that a pod runs for; absent: none. */
  claims(pod: AnyObject, around: Around): string | undefined;
  /** What depends on what, for kinds that know it. */
  graph?(object: AnyObject, around: Around): Graph;
}

/** What is known of the cluster around an object, in one moment. */
export interface Around extends Surroundings {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** All objects of a kind of `beside` in the namespace; `undefined` when they could not be read. */
  list(type: ResourceType): readonly AnyObject[] | undefined;
}
