import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock/clock.ts';
import type { Random } from '../clock/random.ts';
import type { Caches } from '../control/caches.ts';
import type { CertificateEnd } from '../control/certificates/certificate-end.ts';
import { withCertificateFiles } from '../control/certificates/certificate-files.ts';
import type { Log } from '../control/log.ts';
import type { Client } from '../kube/client.ts';
import type { Identity } from '../kube/identity.ts';
import type { Family } from '../portrait/family.ts';
import { Turns } from './api/turns.ts';
import { door as doorOf } from './door.ts';
import { Fleet } from './fleet/fleet.ts';
import { Pages } from './fleet/pages.ts';
import { openShelves } from './fleet/shelves.ts';
import { Snapshots } from './fleet/snapshots.ts';
import { SessionCookie } from './http/cookie.ts';
import { type Listening, type ListenOptions, listen } from './http/listen.ts';
import { isLoopbackAddress } from './http/loopback.ts';
import { type Assets, staticFiles } from './http/static-files.ts';
import { Login } from './login/login.ts';
import { SessionSeal } from './login/session-seal.ts';
import type { ServerMetrics } from './server-metrics.ts';
import { Streams } from './stream/streams.ts';

export interface DashboardOptions {
  readonly families: readonly Family[];
  /** Not started yet: what the dashboard looks into is opened at once. */
  readonly caches: Caches;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: ServerMetrics;
  /** The operator's own: it asks whose tokens are, and what people may. */
  readonly client: Client;
  /** Makes a client that speaks with somebody's own credentials. */
  readonly clientFor: (identity: Identity) => Client;
  readonly door: DashboardDoor;
  /** Nothing can be done by anybody. Default false. */
  readonly readOnly?: boolean;
  /** Who comes by the one-time link; absent: there is none. */
  readonly once?: Identity;
  /** A key of at least 32 bytes, the same for all replicas: sessions then outlive a process. Absent: they end with it. */
  readonly sessionKey?: string;
  readonly assets: () => Promise<Assets>;
  readonly version: string;
  /** Only these; all when empty. */
  readonly namespaces?: readonly string[];
  /** What people type in front of a command. Default `cutover`. */
  readonly program?: string;
}

export interface DashboardDoor {
  /** 0 picks a free one. */
  readonly port: number;
  /** Default: this machine only. */
  readonly host?: string;
  /** A directory with `tls.crt` and `tls.key`. Without it plain HTTP: behind a proxy, or on this machine. */
  readonly certificates?: string;
  /** Hears when the certificate ends. */
  readonly onCertificateEnd?: CertificateEnd;
}

export interface Dashboard {
  /** Opens the port; the caches may start before or after. Rejects when it cannot be had. */
  serve(): Promise<{ readonly port: number; readonly url: string }>;
  /** A new link that lets in once, within ten minutes, from this machine; `undefined` when there is none, or before `serve`. */
  onceLink(): string | undefined;
  close(): Promise<void>;
}

/** The dashboard of all workloads, for people who log in with their own token and see what they may see. */
export function openDashboard(options: DashboardOptions): Dashboard {
  const { families, caches, clock, random, log, metrics, client, clientFor, once, version } = options;
  const { readOnly = false, program = 'cutover', namespaces = [] } = options;
  const { port, host = '127.0.0.1', certificates, onCertificateEnd: onEnd } = options.door;
  const secure = certificates !== undefined;
  const loopback = host === 'localhost' || isLoopbackAddress(host);
  const workloads = families.flatMap((family) => family.workloads);
  const shelves = openShelves(caches, workloads, namespaces);
  const fleet = new Fleet({ families, shelves, log });
  const pages = new Pages({ fleet, shelves, clock, log });
  const streams = new Streams(clock, () => pages.refresh());
  const secret = (): string => randomBytes(32).toString('base64url');
  const seal = options.sessionKey === undefined ? undefined : new SessionSeal(options.sessionKey);
  const login = new Login({
    client,
    clientFor,
    clock,
    log,
    metrics,
    secret,
    ...(once && { once }),
    ...(seal && { seal }),
  });
  metrics.sessions(() => login.sessions.size);
  metrics.streams(() => streams.size);
  fleet.onChange(({ entry }) => pages.changed(entry.id));
  const closing = new AbortController();
  let server: Pick<Listening, 'port' | 'close'> | undefined;
  let url: string | undefined;

  const begin = (): void => {
    for (const shelf of [...shelves.all, ...shelves.events]) {
      void shelf.begin(closing.signal, (key, namespace) => {
        fleet.touched(shelf, key);
        pages.touched(shelf, key, namespace);
      });
    }
  };
  const where = (): ListenOptions => {
    const handler = doorOf({
      desk: { fleet, pages, clock, random, log, turns: new Turns(clock), readOnly, program },
      login,
      streams,
      snapshots: new Snapshots(fleet),
      cookie: new SessionCookie({ secure, port: () => server?.port ?? port }),
      files: staticFiles(options.assets),
      metrics,
      loopback,
      version,
    });
    return { handler, port, host, clock, log };
  };

  return {
    async serve() {
      begin();
      const files = { what: 'the dashboard', log, clock, ...(onEnd && { onEnd }) };
      server = certificates
        ? await withCertificateFiles({ directory: certificates, ...files }, (certificate) =>
            listen({ ...where(), certificate }),
          )
        : await listen(where());
      const name = /^(0\.0\.0\.0|::|)$/.test(host) ? '127.0.0.1' : host;
      url = `${secure ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${server.port}`;
      log.info({ url, readOnly, tls: secure }, 'the dashboard is served');
      return { port: server.port, url };
    },
    onceLink() {
      const code = url === undefined ? undefined : login.issueOnce();
      return code === undefined ? undefined : `${url}/open?once=${code}`;
    },
    async close() {
      closing.abort();
      streams.close();
      pages.close();
      login.close();
      await server?.close();
    },
  };
}
