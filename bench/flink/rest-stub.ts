import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '../../src/kube/client.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import { namespace } from './deployment.ts';

/** Answers for the JobManagers of all clusters: their jobs run, and nothing ever happens. */
export interface RestStub extends AsyncDisposable {
  readonly port: number;
  /** How often it was asked. */
  asked(): number;
}

/**
 * Starts it. A cluster is asked under `/clusters/NAMESPACE/NAME`; whoever asks without that prefix is told of all jobs.
 * Job ids are read from the clusters' ConfigMaps, as their JobManagers would.
 */
export async function startRestStub(client: Client): Promise<RestStub> {
  const jobs = new Map<string, string>();
  const stop = new AbortController();
  void follow(client, jobs, stop.signal);
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    request.resume();
    const url = request.url ?? '/';
    const [, name, rest] = /^\/clusters\/[^/]+\/([^/]+)(\/.*)$/.exec(url) ?? [undefined, undefined, url];
    const known = name === undefined ? [...jobs] : [...jobs].filter(([of]) => of === name);
    answerFor(request.method ?? 'GET', (rest ?? '/').replace(/^\/v1/, '').split('?', 1)[0] ?? '/', known, response);
  });
  server.keepAliveTimeout = 120_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      stop.abort();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Job = readonly [name: string, id: string];

/** What a JobManager with these jobs answers. */
export function answerFor(method: string, path: string, jobs: readonly Job[], response: ServerResponse): void {
  const body = method === 'GET' ? bodyOf(path, jobs) : {};
  const status = method !== 'GET' ? 202 : body === undefined ? 404 : 200;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body ?? { errors: ['Not found.'] }));
}

function bodyOf(path: string, jobs: readonly Job[]): unknown {
  if (path === '/jobs/overview') {
    const started = 1_700_000_000_000;
    const timing = { 'start-time': started, 'end-time': -1, duration: 60_000, 'last-modification': started };
    return { jobs: jobs.map(([name, jid]) => ({ jid, name, state: 'RUNNING', ...timing, tasks: { total: 2 } })) };
  }
  if (path === '/config') return { 'flink-version': '1.20.5', 'flink-revision': 'stub @ 2026-01-01' };
  if (path === '/taskmanagers') return { taskmanagers: [] };
  if (path === '/overview') return { taskmanagers: 1, 'slots-total': 2, 'jobs-running': jobs.length };
  if (path.endsWith('/exceptions')) return { exceptionHistory: { entries: [], truncated: false } };
  if (path.endsWith('/checkpoints')) {
    const counts = { restored: 0, total: 0, in_progress: 0, completed: 0, failed: 0 };
    return { counts, latest: { completed: null, savepoint: null, failed: null, restored: null }, history: [] };
  }
  return undefined;
}

/** Learns job ids from the ConfigMaps that hold the clusters' configuration. */
async function follow(client: Client, jobs: Map<string, string>, signal: AbortSignal): Promise<void> {
  const configMaps = client.resource<AnyObject>(kinds.configMaps);
  while (!signal.aborted) {
    try {
      for await (const { type, object } of configMaps.watch({ namespace, signal })) {
        if (type === 'BOOKMARK') continue;
        const name = /^flink-config-(.*)$/.exec(object.metadata.name ?? '')?.[1];
        const text = Object.values((object as AnyObject).data ?? {}).join('\n');
        const id = /job-id['"]?: *['"]?([0-9a-f]{32})/.exec(text)?.[1];
        if (name && id) jobs.set(name, id);
      }
    } catch {
      // The watch begins anew until the signal aborts.
    }
  }
}
