import type { AnyObject, Json } from '../kube/object.ts';
import type { ResourceType } from '../kube/resource-type.ts';
import type { Around } from './workload.ts';

/** What can be done to a workload. The same words for every family; a family has those that mean something to it. */
export const verbNames = ['promote', 'abort', 'rollback', 'pause', 'resume', 'restart', 'retry', 'suspend'] as const;
export type VerbName = (typeof verbNames)[number];

export interface Verb {
  readonly name: VerbName;
  /** What it does to this kind, for help and buttons: `move traffic to the side that waits`. */
  readonly summary: string;
  /** What to write, or why not. Pure: the same question has the same answer, and asking does nothing. */
  request(object: AnyObject, around: Around, wish: Wish): Steering;
}

/** How somebody wants a verb to be done. */
export interface Wish {
  /** For objects that are made: unique for ever. */
  readonly id: string;
  /** Drop state, where a verb can be done with and without. */
  readonly stateless?: boolean;
  /** Do without the care that keeps it serving: a restart with downtime. */
  readonly force?: boolean;
}

export type Steering =
  | {
      readonly is: 'writes';
      /** In order. The last one that was done decides; each is refused when the object has changed since. */
      readonly writes: readonly Write[];
      /** What follows, told when it is done: `green gets the traffic; blue goes after 5s`. */
      readonly said: string;
      /** What is at stake, where somebody must say yes first. */
      readonly stake?: { readonly what: 'availability' | 'state'; readonly question: string };
    }
  /** There is nothing that it could be done to: why, and what to do instead. */
  | { readonly is: 'refused'; readonly why: string };

export type Write =
  | {
      readonly do: 'patch';
      readonly type: ResourceType;
      readonly namespace: string;
      readonly name: string;
      /** RFC 6902; tests what it relies on, at least the uid. */
      readonly patch: readonly PatchOperation[];
    }
  | { readonly do: 'create'; readonly type: ResourceType; readonly object: AnyObject }
  | {
      readonly do: 'delete';
      readonly type: ResourceType;
      readonly namespace: string;
      readonly name: string;
      readonly uid: string;
    };

export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string };
