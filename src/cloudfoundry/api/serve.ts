import * as http from 'node:http';
import * as https from 'node:https';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Clock } from '../../clock/clock.ts';
import { listening } from '../../control/listening.ts';
import type { Log } from '../../control/log.ts';
import type { CfEnv } from './platform.ts';

/** A certificate with its key, as PEM. */
export interface Certificate {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

export interface ServeOptions {
  readonly api: Hono<CfEnv>;
  readonly clock: Clock;
  readonly log: Log;
  readonly port: number;
  /** Default: this machine only. */
  readonly host?: string;
  /** Without one it speaks plain HTTP: behind a proxy that does TLS, or for this machine alone. */
  readonly certificate?: Certificate;
}

export interface CfApiServer {
  readonly port: number;
  /** Uses another certificate from now on. */
  reload(certificate: Certificate): void;
  /** Takes no more requests, and waits for those under way; those that take too long are cut off. */
  close(graceMs?: number): Promise<void>;
}

/** A certificate chain with its key comes in one header. */
const maxHeaderSize = 64 * 1024;
const headersTimeout = 15_000;
const requestTimeout = 60_000;
/** Longer than the idle time of common proxies, so that it is they who close. */
const keepAliveTimeout = 75_000;

/** Opens a port for the CF API. Rejects when the port cannot be had, or the certificate cannot be used. */
export async function serveCfApi(options: ServeOptions): Promise<CfApiServer> {
  const { api, clock, log, port, host = '127.0.0.1', certificate } = options;
  const listener = getRequestListener(api.fetch, { overrideGlobalObjects: false });
  const limits = { maxHeaderSize, headersTimeout, requestTimeout, keepAliveTimeout };
  const server = certificate
    ? https.createServer({ ...limits, ...certificate }, listener)
    : http.createServer(limits, listener);
  const listensAt = await listening(server, { what: 'the CF API', port, host, log });
  return {
    port: listensAt,
    reload: (renewed) => {
      if (server instanceof https.Server) server.setSecureContext(renewed);
    },
    close: (graceMs = 10_000) =>
      new Promise((resolve) => {
        const callOff = clock.after(graceMs, () => server.closeAllConnections());
        server.close(() => {
          callOff();
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}
