import { seededRandom } from '../../src/clock/random.ts';
import { VirtualClock } from '../../src/clock/virtual.ts';
import { openPki, type Pki } from '../../src/embedded/auth/pki.ts';
import { createEmbedded, type Embedded, type EmbeddedOptions } from '../../src/embedded/embedded.ts';

/** A Kubernetes in this process, and its time. */
export interface Cluster {
  readonly clock: VirtualClock;
  readonly embedded: Embedded;
}

export interface ClusterOptions extends Pick<EmbeddedOptions, 'nodes' | 'tokens'> {
  /** What ids and jitter come from. */
  readonly seed: number;
  /** The time at which it begins. */
  readonly start?: string;
}

let pki: Promise<Pki> | undefined;

/** Opens a cluster of its own for a test. Keys are made once for all of a file's: nobody comes in from outside. */
export async function openCluster({ seed, start, ...options }: ClusterOptions): Promise<Cluster> {
  const clock = start === undefined ? new VirtualClock() : new VirtualClock(Date.parse(start));
  pki ??= openPki({ clock });
  const embedded = await createEmbedded({ clock, random: seededRandom(seed), pki: await pki, ...options });
  return { clock, embedded };
}
