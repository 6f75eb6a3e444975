import type { Transport } from '../../kube/transport.ts';
import type { Tell } from '../controllers/recorder.ts';
import type { Pod } from '../kinds/objects/pod.ts';
import type { Program } from '../programs/program.ts';
import type { World } from '../world.ts';
import type { Timing } from './timing.ts';

/** What the pods of one node share. */
export interface Host {
  readonly world: World;
  readonly nodeName: string;
  readonly address: string;
  readonly timing: Timing;
  readonly programs: readonly Program[];
  /** Images that were pulled before. */
  readonly images: Set<string>;
  readonly tell: Tell;
  /** An address for a pod that has none yet; given back when the pod is gone. */
  takeAddress(): string;
  returnAddress(address: string): void;
  /** The API server with the rights of the pod's ServiceAccount, for programs that use it. */
  apiFor(pod: Pod): Transport | undefined;
  /** The token that is mounted into the pod. */
  tokenFor(pod: Pod): string;
}
