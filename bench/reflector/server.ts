import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pod } from './pod.ts';

/**
 * A fake API server that holds `argv[2]` pods: lists whole or in pages, streaming lists, watches, and a burst of
 * changes on demand. Everything is encoded beforehand, so that the clients are measured and not the server.
 *
 * Prints its address when it is ready.
 */
const count = Number(process.argv[2]);
/** All versions have nine digits, so that a later version of a pod is made by writing over the earlier one. */
let version = 100_000_000;
const pods = Array.from({ length: count }, (_, index) => Buffer.from(JSON.stringify(pod(index, ++version))));
const listVersion = String(version);
const watchers = new Set<ServerResponse>();

const added = Buffer.from('{"type":"ADDED","object":');
const modified = Buffer.from('{"type":"MODIFIED","object":');
const eventEnd = Buffer.from('}\n');
const comma = Buffer.from(',');
const versionField = '"resourceVersion":"';

/** Writes many small pieces as few large ones, as fast as the reader takes them. */
async function stream(response: ServerResponse, pieces: Iterable<Buffer>): Promise<void> {
  let batch: Buffer[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    const full = !response.write(Buffer.concat(batch, size));
    batch = [];
    size = 0;
    if (full && !response.destroyed) await room(response);
  };
  for (const piece of pieces) {
    batch.push(piece);
    size += piece.length;
    if (size > 1 << 18) await flush();
    if (response.destroyed) return;
  }
  await flush();
}

/** Resolves when more can be written, or when nobody reads any more. */
function room(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });
}

async function list(response: ServerResponse, query: URLSearchParams): Promise<void> {
  const from = Number(query.get('continue') ?? 0);
  const to = Math.min(count, from + (Number(query.get('limit')) || count));
  const more = to < count ? { continue: String(to), remainingItemCount: count - to } : {};
  const head = JSON.stringify({
    kind: 'PodList',
    apiVersion: 'v1',
    metadata: { resourceVersion: listVersion, ...more },
  });
  response.writeHead(200, { 'content-type': 'application/json' });
  await stream(response, listPieces(head, from, to));
  response.end();
}

function* listPieces(head: string, from: number, to: number): Generator<Buffer> {
  yield Buffer.from(`${head.slice(0, -1)},"items":[`);
  for (let index = from; index < to; index++) {
    if (index > from) yield comma;
    yield pods[index] ?? comma;
  }
  yield Buffer.from(']}\n');
}

async function watch(response: ServerResponse, query: URLSearchParams): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  response.once('close', () => watchers.delete(response));
  if (query.get('sendInitialEvents') === 'true') await stream(response, initialEvents());
  watchers.add(response);
}

function* initialEvents(): Generator<Buffer> {
  for (const one of pods) {
    yield added;
    yield one;
    yield eventEnd;
  }
  const metadata = { resourceVersion: listVersion, annotations: { 'k8s.io/initial-events-end': 'true' } };
  yield Buffer.from(`${JSON.stringify({ type: 'BOOKMARK', object: { kind: 'Pod', apiVersion: 'v1', metadata } })}\n`);
}

/** Tells whoever watches of `events` changes. */
async function burst(events: number): Promise<void> {
  await Promise.all([...watchers].map((watcher) => stream(watcher, changes(events))));
}

function* changes(events: number): Generator<Buffer> {
  for (let index = 0; index < events; index++) {
    const changed = Buffer.from(pods[index % count] ?? '');
    changed.write(String(++version), changed.indexOf(versionField) + versionField.length);
    yield modified;
    yield changed;
    yield eventEnd;
  }
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://bench');
  if (url.pathname === '/bench/burst') {
    while (watchers.size === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    response.end();
    await burst(Number(url.searchParams.get('events')));
  } else if (url.pathname !== '/api/v1/pods') response.writeHead(404).end();
  else if (url.searchParams.get('watch') === 'true') await watch(response, url.searchParams);
  else await list(response, url.searchParams);
});

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
