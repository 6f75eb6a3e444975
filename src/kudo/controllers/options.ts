import type { Sealed } from '../../control/sealed.ts';
import type { Client } from '../../kube/client.ts';

/** What the controllers of the family are made with. */
export interface KudoControllersOptions {
  readonly client: Client;
  readonly seal: (value: string) => Sealed;
  /** So many random bytes, for keys that are kept. */
  readonly randomBytes: (count: number) => Uint8Array;
  /** The image of the container that waits in the pods of Pipe tasks. */
  readonly waiterImage: string;
  /** The only namespaces that are looked at; absent or empty: all. */
  readonly namespaces?: readonly string[];
}
