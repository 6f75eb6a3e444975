import type { Clock } from '../../../clock/clock.ts';
import type { Client } from '../../../kube/client.ts';
import { isKubeError } from '../../../kube/error.ts';
import { kinds } from '../../../kube/kinds.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { ObjectName } from '../../../kube/path.ts';
import type { ResourceType } from '../../../kube/resource-type.ts';
import { carrierOf, type WebhookConfiguration } from './carrier.ts';
import { type CertificateSecret, keptIn } from './secret.ts';
import { stopwatch } from './stopwatch.ts';
import { bundleOf, type Carrier, type CertificatesView } from './view.ts';

/** Where everything is. */
export interface Place {
  readonly namespace: string;
  readonly service: string;
  /** Of both configurations. */
  readonly configuration: string;
  /** By which API servers call the Service. */
  readonly host: string;
}

/** What was read, and what it means. */
export interface Look {
  readonly view: CertificatesView;
  readonly secret: CertificateSecret | undefined;
  readonly configurations: ReadonlyMap<Carrier['kind'], WebhookConfiguration>;
  /** Configurations that could not be read. */
  readonly troubles: readonly unknown[];
}

/** The resource of each kind of configuration. */
export const configurationTypes: Readonly<Record<Carrier['kind'], ResourceType>> = {
  validating: kinds.validatingWebhookConfigurations,
  mutating: kinds.mutatingWebhookConfigurations,
};

export function secretOf({ namespace, service }: Place): { readonly namespace: string; readonly name: string } {
  return { namespace, name: `${service}-certificates` };
}

const timeoutMs = 10_000;

/**
 * Looks at the certificates again and again; remembers since when the configurations have been as they are. The order matters,
 * see `CertificatesView`. Rejects when the Secret cannot be read: then nothing is known.
 */
export function looker(client: Client, clock: Clock, place: Place): (signal: AbortSignal) => Promise<Look> {
  const carried = stopwatch();
  return async (signal) => {
    const read = await Promise.allSettled(
      (['validating', 'mutating'] as const).map(async (kind) => {
        const found = await find<WebhookConfiguration>(
          client,
          configurationTypes[kind],
          { name: place.configuration },
          signal,
        );
        return [kind, found] as const;
      }),
    );
    const present = read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const configurations = new Map(present.flatMap(([kind, found]) => (found ? [[kind, found] as const] : [])));
    const troubles = read.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    const secret = await find<CertificateSecret>(client, kinds.secrets, secretOf(place), signal);

    const kept = keptIn(secret, place.host);
    const carriers = [...configurations].map(([kind, object]) => carrierOf(kind, object, place));
    const versions = [...configurations].map(([kind, { metadata }]) => [kind, metadata.uid, metadata.resourceVersion]);
    const as = troubles.length > 0 ? undefined : JSON.stringify([versions, bundleOf(kept.authorities)]);
    const carriedForMs = carried.read(as, clock.monotonic());
    const view = { now: clock.now(), kept, carriers, carriedForMs };
    return { view, secret, configurations, troubles };
  };
}

async function find<T extends KubeObject>(
  client: Client,
  type: ResourceType,
  name: ObjectName,
  signal: AbortSignal,
): Promise<T | undefined> {
  try {
    return await client.resource<T>(type).get(name, { signal, timeoutMs });
  } catch (error) {
    if (isKubeError(error, 'not-found')) return undefined;
    throw error;
  }
}
