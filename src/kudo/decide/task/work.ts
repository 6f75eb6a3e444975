import type { Instant } from '../../../clock/clock.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { Place } from '../../render/place.ts';
import type { Rivals } from '../rivals.ts';
import type { ThingRef } from '../view.ts';
import type { PipeWork } from './pipe-work.ts';

/** A step that is to be worked on now. */
export interface StepWork {
  readonly phase: string;
  readonly step: string;
  /** Which step of the plan it is. */
  readonly at?: number;
  readonly tasks: readonly TaskWork[];
  readonly rivals?: Rivals;
}

/** A task with what its templates yield: everything about it that can be known without looking at the cluster. */
export type TaskWork = { readonly name: string; readonly place: Place } & (
  | {
      readonly does: 'apply' | 'delete';
      readonly objects: readonly KubeObject[];
      readonly warnings: readonly string[];
      /** Those of the objects, by `thingId`, that the step deletes and then applies. */
      readonly renewed?: readonly string[];
    }
  | { readonly does: 'pipe'; readonly pipe: PipeWork }
  | {
      readonly does: 'child';
      readonly child: KubeObject;
      /** The OperatorVersion that the child needs. */
      readonly version: ThingRef;
    }
  | { readonly does: 'dummy'; readonly wantErr: boolean; readonly fatal: boolean; readonly done: boolean }
  /** It cannot be begun before something has changed that nobody watches. */
  | { readonly does: 'wait'; readonly message: string }
  /** It cannot be done: however often it is tried, if that is fatal. */
  | { readonly does: 'fail'; readonly failure: TaskFailure }
);

/** Why a task does not get on. */
export interface TaskFailure {
  /** The reason of the event, if the plan ends by it. */
  readonly reason: Capitalize<string>;
  readonly message: string;
  readonly fatal: boolean;
  /** When the action failed last that it needs. Absent: it fails without one. */
  readonly at?: Instant;
}
