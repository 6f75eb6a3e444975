import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listening } from './listening.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** One thing that must be right. `undefined` means it is; otherwise what is wrong. */
export type Check = () => string | undefined;

export interface HealthOptions {
  /** Default: all interfaces, because the kubelet asks from outside the pod. */
  readonly host?: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Must hold or the process should be restarted. */
  readonly live: Readonly<Record<string, Check>>;
  /** Must hold before the process counts as ready. */
  readonly ready: Readonly<Record<string, Check>>;
  readonly metrics: Metrics;
  readonly log: Log;
}

export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves `/livez`, `/readyz` (both with one line per check) and `/metrics`. Nothing it serves is secret. */
export async function serveHealth(options: HealthOptions): Promise<HealthServer> {
  const server = createServer((request, response) => {
    answer(request, response, options).catch(() => response.destroy());
  });
  const port = await listening(server, { ...options, what: 'the server of health and metrics' });
  return { port, close: () => closed(server) };
}

async function answer(request: IncomingMessage, response: ServerResponse, options: HealthOptions): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return send(response, 405, 'only GET and HEAD\n');
  switch (request.url?.split('?', 1)[0]) {
    case '/livez':
      return report(response, options.live);
    case '/readyz':
      return report(response, options.ready);
    case '/metrics': {
      const { contentType, text } = await options.metrics.page();
      return send(response, 200, text, contentType);
    }
    default:
      return send(response, 404, 'try /livez, /readyz or /metrics\n');
  }
}

function report(response: ServerResponse, checks: Readonly<Record<string, Check>>): void {
  const results = Object.entries(checks).map(([name, check]) => [name, check()] as const);
  const failed = results.some(([, wrong]) => wrong !== undefined);
  const lines = results.map(([name, wrong]) => (wrong === undefined ? `[+] ${name} ok` : `[-] ${name}: ${wrong}`));
  send(response, failed ? 503 : 200, `${[...lines, failed ? 'failed' : 'ok'].join('\n')}\n`);
}

function send(response: ServerResponse, code: number, text: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(code, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
