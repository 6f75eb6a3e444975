import type { Clock } from '../../src/clock/clock.ts';
import type { Random } from '../../src/clock/random.ts';
import type { VirtualClock } from '../../src/clock/virtual.ts';
import type { OperatorOptions } from '../../src/control/operator.ts';
import type { Pki } from '../../src/embedded/auth/pki.ts';
import type { Embedded } from '../../src/embedded/embedded.ts';
import type { Client } from '../../src/kube/client.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import type { Transport } from '../../src/kube/transport.ts';
import type { Hazards } from './hazards.ts';
import type { Patience } from './patience.ts';
import type { Fault } from './plan.ts';

/** What is simulated: an operator, the world that it acts on, and the people who use it. */
export interface Subject {
  /** That of its test file. */
  readonly name: string;
  readonly workloads: readonly string[];
  /** Workloads in which people do not wait: how many transitions there are depends on who is faster. */
  readonly racing: ReadonlySet<string>;
  /** A disturbed run may write an object this much more often: retries are recorded, and what was undone is done again. */
  readonly moreChanges: number;
  /** Whether an object (`Service web`) that goes again in a workload may as well never be made: it was overtaken. */
  readonly mayNeverBe?: (workload: string, object: string) => boolean;
  /** What people and the cluster may do at any moment of any workload, by name. */
  readonly mischief?: Readonly<Record<string, Mischief>>;
  readonly fresh?: Fresh;
  /** Faults that rightly lead to another end here. */
  readonly spared?: readonly Fault[];
  open(ground: Ground): Promise<Scene>;
  /** An end, as text, without what tells how it was come to: to compare those of racing workloads by, and after mischief. */
  anyTransition(end: string): string;
}

/** What a cluster has come to must be what a new one would be that is given the final specifications at once. */
export interface Fresh {
  /** In these workloads: in others the way matters, too. */
  readonly workloads: readonly string[];
  /** What people write. */
  readonly types: readonly ResourceType[];
  /** What of an end does not tell how it was come to. */
  essence(end: unknown): unknown;
}

/** Something that is done to what the operator works on, besides the workload. */
export interface Mischief {
  /** What must be the case in the end: the same as without it, or the same as if it were done when the workload is over. */
  readonly end: 'as if nothing' | 'as if later';
  /** It takes away what people work on: they do nothing after it. */
  readonly final?: boolean;
  /** In these workloads only. Default: in all. */
  readonly workloads?: readonly string[];
}

export interface Ground {
  readonly clock: VirtualClock;
  readonly seed: number;
  readonly pki: Pki;
  /** How people wait. */
  readonly patience: Patience;
}

/** One run of a subject. */
export interface Scene {
  readonly server: Embedded;
  readonly oracle: Oracle;
  /** The server as processes reach it. */
  transport(): Transport;
  /** The controllers of one process. */
  controllers(process: Surroundings): OperatorOptions['controllers'];
  /** All that people do in a workload. */
  play(workload: string): Promise<void>;
  /** What `Subject.mischief` names. Harmless when what it is done to is not there. */
  act?(name: string): Promise<void>;
  /** Whether it can be done yet; until then people go on, and it is done as soon as it can be. Default: always. */
  canAct?(name: string): boolean;
}

/** What a process has. Whatever reaches outside goes through the client, or through the hazards. */
export interface Surroundings {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly hazards: Hazards;
}

/** How often each object was created, changed and deleted. */
export type Writes = Record<string, { created: number; changed: number; deleted: number }>;

/**
 * Watches the cluster from inside and judges every change at the moment it is stored: what must never be the case, not
 * even for an instant.
 */
export interface Oracle {
  readonly violations: readonly string[];
  readonly writes: Writes;
  violate(what: string): void;
  /** A process calls the outside: the intent must be on record, there and then. */
  judgeCall(id: string): void;
  /** Judges what was left for the end, when nothing happens any more. */
  judgeEnd(): void;
  /** Whether a call may be made although nothing changed. */
  isIdle(call: string): boolean;
  /** How often each call to the outside took effect, under ids that are the same in every run. */
  effects(): Readonly<Record<string, number>>;
  /** The cluster without what differs from run to run: uids, versions and times. */
  end(): unknown;
}
