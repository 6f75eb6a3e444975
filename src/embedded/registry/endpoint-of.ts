import type { AnyObject } from '../../kube/object.ts';
import type { Cluster } from '../auth/cluster.ts';

interface Service extends AnyObject {
  readonly spec?: { readonly ports?: readonly { readonly name?: string; readonly port: number }[] };
}

interface EndpointSlice extends AnyObject {
  readonly endpoints?: readonly {
    readonly addresses?: readonly string[];
    readonly conditions?: { readonly ready?: boolean };
    readonly targetRef?: { readonly kind?: string; readonly name?: string };
  }[];
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[];
}

/** One of those who answer for a Service. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
  /** The pod at that address, if it is one. */
  readonly pod: string | undefined;
}

/**
 * A ready endpoint of a Service, by the name or number of the Service's port; empty means its only port. `undefined`
 * when the Service has no such port or nobody is ready.
 */
export function endpointOf(cluster: Cluster, service: AnyObject, port: string): Endpoint | undefined {
  const { name, namespace = '' } = service.metadata;
  const ports = (service as Service).spec?.ports ?? [];
  const chosen =
    port === ''
      ? ports.length === 1
        ? ports[0]
        : undefined
      : ports.find((one) => one.name === port || String(one.port) === port);
  if (!chosen) return undefined;
  for (const slice of cluster.all('discovery.k8s.io', 'endpointslices', namespace) as readonly EndpointSlice[]) {
    if (slice.metadata.labels?.['kubernetes.io/service-name'] !== name) continue;
    const number = slice.ports?.find((one) => (one.name ?? '') === (chosen.name ?? ''))?.port;
    for (const { addresses = [], conditions, targetRef } of slice.endpoints ?? []) {
      const [address] = addresses;
      if (number === undefined || address === undefined || conditions?.ready === false) continue;
      return { address, port: number, pod: targetRef?.kind === 'Pod' ? targetRef.name : undefined };
    }
  }
  return undefined;
}
