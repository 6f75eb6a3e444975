import type { View } from '../../src/control/controller.ts';
import type { Ref } from '../../src/control/decision.ts';
import type { Sealed } from '../../src/control/sealed.ts';
import type { Batch, Receipt } from './factory.ts';
import type { Lamp } from './resource.ts';

/** A pod that shines for a lamp. */
export interface Bulb {
  readonly ref: Ref;
  /** The transition that made it. */
  readonly transition: string;
  readonly ordinal: number;
  readonly terminating: boolean;
}

/** What the factory has for this lamp; asked only while something is under way. */
export type Stock =
  | { readonly is: 'known'; readonly batches: readonly Batch[]; readonly receipts: readonly Receipt[] }
  | { readonly is: 'unreachable'; readonly message: string }
  | { readonly is: 'not asked' };

/** All that is decided on about a lamp. */
export interface LampView extends View {
  readonly lamp: Lamp;
  readonly bulbs: readonly Bulb[];
  readonly stock: Stock;
  readonly token: Sealed | undefined;
}

/** Everything about a change under way, kept in `status.transition` and dropped as a whole. */
export type Transition = {
  readonly id: string;
  readonly kind: 'light' | 'restart' | 'scrap';
  /** Digest of the spec that it realises. */
  readonly spec: string;
  /** The batch that serves meanwhile; its counter is carried over. */
  readonly from?: string;
  /** The id of the measurement, and when it was last begun; it must not be begun again while it may still arrive. */
  readonly measureId?: string;
  readonly triedAt?: number;
  readonly measured?: number;
  /** The old bulbs are going: from here on the new ones serve, and there is no way back. */
  readonly retiring?: boolean;
  readonly failed?: string;
};

export function transitionOf(lamp: Lamp): Transition | undefined {
  return lamp.status?.transition as Transition | undefined;
}

/** The batch that serves: the selector of the bulbs says it. */
export function servingBatch(lamp: Lamp): string | undefined {
  return lamp.status?.selector?.split('=')[1];
}

/** The batch of a transition: its own, or for a restart the one there was. */
export function batchOf({ id, kind, from }: Transition): string {
  return kind === 'restart' && from !== undefined ? from : id;
}
