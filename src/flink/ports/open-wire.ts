import type { Clock } from '../../clock/clock.ts';
import type { Client } from '../../kube/client.ts';
import { directWire } from './direct-wire.ts';
import { proxiedWire } from './proxied-wire.ts';
import { restTls } from './rest-tls.ts';
import type { Wire } from './wire.ts';

export interface OpenWireOptions {
  /** `direct` inside of a Kubernetes cluster, where Services have names; `proxy` everywhere else. */
  readonly way: 'direct' | 'proxy';
  readonly client: Client;
  readonly clock: Clock;
  /** Where `rest-tls.ts` looks. Only for `direct`: the API server's proxy does its own TLS. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The way to JobManagers. Throws one clear line when the environment's TLS settings cannot be used. */
export function openWire({ way, client, clock, env }: OpenWireOptions): Wire {
  return way === 'direct' ? directWire({ clock, tls: restTls(env) }) : proxiedWire({ client, clock });
}
