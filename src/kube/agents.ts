import type { Agent } from 'node:http';
import type { Identity } from './identity.ts';
import { http, https } from './node-http.ts';

/** How the server proves itself to us. */
export interface ServerTls {
  /** Certificate authorities to trust, as PEM, instead of Node's own. */
  readonly ca?: string | Buffer;
  /** The name its certificate must hold, when that is not the host of its address. */
  readonly serverName?: string;
  /** Trust anybody. */
  readonly insecure?: boolean;
}

interface PoolLimits {
  /** How long an idle connection is kept. */
  readonly idleTimeoutMs: number;
  /** How many connections a pool has at once; further requests wait for one. */
  readonly maxConnections: number;
}

/**
 * The connection pools of one transport. A client certificate belongs to a connection, so each certificate has a pool;
 * when a renewed certificate comes, the old pool finishes what runs in it and keeps nothing.
 */
export class Agents {
  readonly #secure: boolean;
  readonly #tls: ServerTls;
  readonly #limits: PoolLimits;
  readonly #retired = new Set<WeakRef<Agent>>();
  #certificate: Identity['certificate'];
  #agent: Agent;

  constructor(secure: boolean, tls: ServerTls, limits: PoolLimits) {
    this.#secure = secure;
    this.#tls = tls;
    this.#limits = limits;
    this.#agent = this.#open();
  }

  /** The pool for requests under this identity. */
  for(identity: Identity): Agent {
    const { certificate } = identity;
    const same = certificate?.cert === this.#certificate?.cert && certificate?.key === this.#certificate?.key;
    if (!same && this.#secure) {
      this.#retire(this.#agent);
      this.#certificate = certificate;
      this.#agent = this.#open();
    }
    return this.#agent;
  }

  /** Cuts every connection. */
  close(): void {
    this.#agent.destroy();
    for (const agent of this.#retired) agent.deref()?.destroy();
  }

  #open(): Agent {
    const pool = {
      keepAlive: true,
      // Probes on silent connections: a watch on a dead peer must break, not wait.
      keepAliveMsecs: 30_000,
      maxFreeSockets: 16,
      maxSockets: this.#limits.maxConnections,
      timeout: this.#limits.idleTimeoutMs,
    };
    if (!this.#secure) return new http.Agent(pool);
    const { ca, serverName, insecure } = this.#tls;
    return new https.Agent({
      ...pool,
      ...(ca && { ca }),
      ...(serverName && { servername: serverName }),
      ...(insecure && { rejectUnauthorized: false }),
      ...this.#certificate,
    });
  }

  #retire(agent: Agent): void {
    agent.maxFreeSockets = 0;
    for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
    for (const old of this.#retired) if (!old.deref()) this.#retired.delete(old);
    this.#retired.add(new WeakRef(agent));
  }
}
