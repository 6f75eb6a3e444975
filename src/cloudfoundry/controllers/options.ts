import type { Clock } from '../../clock/clock.ts';
import type { Random } from '../../clock/random.ts';
import type { Sealed } from '../../control/sealed.ts';
import type { Client } from '../../kube/client.ts';
import type { ImageRegistry } from '../ports/image-registry.ts';
import type { CloudFoundrySettings } from '../settings.ts';

/** What every controller of the family is given. */
export interface CloudFoundryControllersOptions {
  /** With the operator's own rights. */
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: CloudFoundrySettings;
  /** Seals what Secrets hold, before it enters a view. */
  readonly seal: (value: string) => Sealed;
  /** Where images are looked at. Default: in the registry that each of them names. */
  readonly registry?: ImageRegistry;
}
