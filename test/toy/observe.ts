import type { Cached } from '../../src/control/caches.ts';
import type { Glance } from '../../src/control/controller.ts';
import { refTo } from '../../src/control/decision.ts';
import type { Sealed } from '../../src/control/sealed.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import type { Batch, Receipt } from './factory.ts';
import { ordinalLabel, transitionLabel } from './manifests.ts';
import type { Lamp } from './resource.ts';
import { type Bulb, type LampView, type Stock, transitionOf } from './view.ts';

/** Reads what the factory has. The outside world may fail: that is part of the view. */
export type Look = (
  lamp: string,
) => Promise<{ readonly batches: readonly Batch[]; readonly receipts: readonly Receipt[] }>;

export interface Eyes {
  readonly pods: Cached<AnyObject, 'owner'>;
  readonly look: Look;
  readonly seal: (value: string) => Sealed;
}

export async function observe(eyes: Eyes, { object: lamp, now, outcomes }: Glance<Lamp>): Promise<LampView> {
  const { uid = '' } = lamp.metadata;
  const { token } = lamp.spec;
  // What takes time comes first: the caches are read at the last moment, so that the view is as new as can be.
  const stock = await stockOf(lamp, eyes.look);
  return {
    now,
    outcomes,
    lamp,
    bulbs: eyes.pods.by('owner', uid).map(bulbOf).sort(byTransitionAndOrdinal),
    stock,
    token: token === undefined ? undefined : eyes.seal(token),
  };
}

async function stockOf(lamp: Lamp, look: Look): Promise<Stock> {
  const busy = lamp.metadata.deletionTimestamp || (transitionOf(lamp) && !transitionOf(lamp)?.failed);
  if (!busy) return { is: 'not asked' };
  try {
    return { is: 'known', ...(await look(lamp.metadata.uid ?? '')) };
  } catch (error) {
    return { is: 'unreachable', message: (error as Error).message };
  }
}

function bulbOf(pod: AnyObject): Bulb {
  const { labels = {}, deletionTimestamp } = pod.metadata;
  const { resourceVersion: _version, ...ref } = refTo(pod);
  return {
    ref,
    transition: labels[transitionLabel] ?? '',
    ordinal: Number(labels[ordinalLabel]),
    terminating: deletionTimestamp !== undefined,
  };
}

function byTransitionAndOrdinal(a: Bulb, b: Bulb): number {
  return a.transition.localeCompare(b.transition) || a.ordinal - b.ordinal;
}
