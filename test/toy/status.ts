import { type Condition, type Standing, stand } from '../../src/control/conditions.ts';
import { refTo, type StatusAction } from '../../src/control/decision.ts';
import { digest } from '../../src/control/digest.ts';
import type { JsonObject } from '../../src/kube/object.ts';
import type { Lamp } from './resource.ts';
import type { LampView, Transition } from './view.ts';

/** The spec as far as changing it takes a transition; the number of bulbs and the switch do not. */
export function essence(spec: Lamp['spec']): string {
  const { replicas: _replicas, state: _state, ...rest } = spec;
  return digest(rest);
}

/** How many bulbs should shine. */
export function wantedBulbs(spec: Lamp['spec']): number {
  return spec.state === 'off' ? 0 : (spec.replicas ?? 1);
}

/** Writes the journal: the whole status, with these changes. `transition: undefined` drops the record. */
export function journal(
  view: LampView,
  standing: Standing,
  changes: Omit<Partial<NonNullable<Lamp['status']>>, 'transition'> & { readonly transition: Transition | undefined },
): StatusAction {
  const { lamp, now } = view;
  const { transition: _before, ...before } = lamp.status ?? {};
  const { transition, ...rest } = changes;
  const generation = lamp.metadata.generation ?? 0;
  const conditions = stand((before.conditions ?? []) as Condition[], standing, generation, now);
  const status = { ...before, ...rest, ...(transition && { transition }), observedGeneration: generation, conditions };
  return { do: 'status', of: refTo(lamp), status: status as unknown as JsonObject };
}
