import type { Clock } from '../../clock/clock.ts';
import type { Client } from '../../kube/client.ts';
import type { ClusterAddress } from '../rest.ts';
import { directWire, type Place } from './direct-wire.ts';
import { proxiedWire } from './proxied-wire.ts';
import { restTls } from './rest-tls.ts';
import type { Wire } from './wire.ts';

export interface OpenWireOptions {
  /**
   * `direct` inside of a Kubernetes cluster, where Services have names; `proxy` everywhere else; or the URL of a gateway, with
   * `{namespace}` and `{name}` where those of the cluster belong.
   */
  readonly way: string;
  readonly client: Client;
  readonly clock: Clock;
  /** Where `rest-tls.ts` looks. Only for `direct`: the API server's proxy does its own TLS. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The way to JobManagers. Throws one clear line when the environment's TLS settings cannot be used. */
export function openWire({ way, client, clock, env }: OpenWireOptions): Wire {
  if (way === 'proxy') return proxiedWire({ client, clock });
  const tls = restTls(env);
  return directWire({ clock, tls, ...(way !== 'direct' && { placeOf: gateway(way) }) });
}

/** Where a gateway has the cluster. */
function gateway(template: string): (cluster: ClusterAddress) => Place {
  return ({ namespace, name }) => {
    const url = new URL(template.replaceAll('{namespace}', namespace).replaceAll('{name}', name));
    const tls = url.protocol === 'https:';
    return {
      host: url.hostname,
      port: Number(url.port || (tls ? 443 : 80)),
      tls,
      prefix: url.pathname.replace(/\/$/, ''),
    };
  };
}
