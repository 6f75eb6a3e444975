import { own } from '../graph/own.ts';
import type { InstanceStatus, StepStatus } from '../resources/instance.ts';

/** A step of a plan, and how far it is. */
export interface StepAt {
  /** `nodes/roll` */
  readonly place: string;
  readonly status: string;
  readonly message?: string;
}

export interface Progress {
  readonly steps: readonly StepAt[];
  readonly done: number;
  /** The first that is being worked on. */
  readonly at?: StepAt;
  /** One that fails: `ERROR` is tried again, `FATAL_ERROR` is not. */
  readonly failing?: StepAt;
}

/** How far a plan has come. */
export function progressOf({ planStatus }: InstanceStatus, plan: string): Progress {
  const steps = (own(planStatus, plan)?.phases ?? []).flatMap(({ name, steps }) =>
    (steps ?? []).map((step) => stepAt(name, step)),
  );
  const failing = steps.find(({ status }) => status === 'FATAL_ERROR' || status === 'ERROR');
  const at = failing ?? steps.find(({ status }) => status !== 'COMPLETE');
  const done = steps.filter(({ status }) => status === 'COMPLETE').length;
  return { steps, done, ...(at && { at }), ...(failing && { failing }) };
}

function stepAt(phase: string, { name, status = 'PENDING', message }: StepStatus): StepAt {
  return { place: `${phase}/${name}`, status, ...(message && { message }) };
}
