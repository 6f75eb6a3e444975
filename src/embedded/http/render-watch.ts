import { apiVersionOf } from '../../kube/resource-type.ts';
import { jsonAs, objectAs } from '../registry/versions.ts';
import type { Watch, WatchEvent } from '../registry/watch.ts';
import type { ServedResource } from '../resource.ts';
import type { Entry } from '../store/entry.ts';
import type { Store } from '../store/store.ts';
import type { Answer } from './answer.ts';
import { ByteQueue } from './byte-queue.ts';
import type { Shape } from './negotiate.ts';
import { metadataOf } from './render.ts';
import { tableOf } from './render-table.ts';
import type { Visit } from './serving.ts';

/** The backlog of a watch is sent in pieces of about this many bytes. */
const piece = 128 * 1024;

/** A watch as a stream of JSON lines. It frees what it holds when its reader leaves, however that happens. */
export function renderWatch(
  visit: Visit,
  shape: Shape,
  resource: ServedResource,
  store: Store,
  watch: Watch,
  now: () => number,
): Answer {
  const cut = new AbortController();
  const queue = new ByteQueue({ onOverflow: () => cut.abort() });
  const frame = framer(visit, shape, resource, store, now);
  if (watch.over) queue.end();
  else {
    queue.onLeave = watch.listen(
      (event) => void queue.push(frame(event)),
      () => queue.end(),
    );
  }
  const { signal } = visit.request;
  if (signal?.aborted) queue.end();
  signal?.addEventListener('abort', () => queue.end(), { once: true });
  return {
    status: 200,
    headers: { 'content-type': shape.as === 'object' ? 'application/json' : shape.contentType },
    body: stream(watch.backlog, frame, queue),
    cut: cut.signal,
  };
}

async function* stream(
  backlog: Iterable<WatchEvent>,
  frame: (event: WatchEvent) => Uint8Array,
  queue: ByteQueue,
): AsyncGenerator<Uint8Array> {
  try {
    let frames: Uint8Array[] = [];
    let bytes = 0;
    for (const event of backlog) {
      const one = frame(event);
      frames.push(one);
      bytes += one.length;
      if (bytes < piece) continue;
      yield Buffer.concat(frames);
      frames = [];
      bytes = 0;
    }
    if (frames.length > 0) yield Buffer.concat(frames);
    yield* queue;
  } finally {
    queue.end();
  }
}

/** Makes events into lines. Watchers of one kind that are told of the same event share the bytes. */
function framer(
  visit: Visit,
  shape: Shape,
  resource: ServedResource,
  store: Store,
  now: () => number,
): (event: WatchEvent) => Uint8Array {
  let headers = true;
  const table = (entry: Entry): unknown => {
    const listMeta = { resourceVersion: String(entry.revision) };
    const whole = tableOf(resource, [objectAs(resource, store, entry)], visit.query, { now: now(), listMeta, headers });
    headers = false;
    return whole;
  };
  return (event) => {
    switch (event.type) {
      case 'ERROR':
        return line(event.type, JSON.stringify(event.error.status));
      case 'BOOKMARK':
        return line(event.type, JSON.stringify(bookmark(shape, resource, event)));
      default:
        switch (shape.as) {
          case 'object':
            return shared(event.type, resource, store, event.entry);
          case 'metadata':
            return line(event.type, JSON.stringify(metadataOf(objectAs(resource, store, event.entry))));
          case 'table':
            return line(event.type, JSON.stringify(table(event.entry)));
        }
    }
  };
}

function bookmark(shape: Shape, resource: ServedResource, event: WatchEvent & { readonly type: 'BOOKMARK' }): unknown {
  const metadata = {
    resourceVersion: String(event.revision),
    ...(event.initial && { annotations: { 'k8s.io/initial-events-end': 'true' } }),
  };
  switch (shape.as) {
    case 'object':
      return { kind: resource.kind, apiVersion: apiVersionOf(resource), metadata };
    case 'metadata':
      return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
    case 'table': {
      const table = {
        kind: 'Table',
        apiVersion: 'meta.k8s.io/v1',
        metadata: { resourceVersion: metadata.resourceVersion },
      };
      const row = { cells: [], object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata } };
      return { ...table, columnDefinitions: null, rows: [row] };
    }
  }
}

const line = (type: string, object: string): Uint8Array => Buffer.from(`{"type":"${type}","object":${object}}\n`);

/** The line made last, by entry: all watchers hear of an entry in the same moment. */
const last = new WeakMap<Store, { readonly entry: Entry; readonly key: string; readonly bytes: Uint8Array }>();

function shared(type: string, resource: ServedResource, store: Store, entry: Entry): Uint8Array {
  const known = last.get(store);
  const key = `${type} ${resource.group} ${resource.version}`;
  if (known?.entry === entry && known.key === key) return known.bytes;
  const bytes = line(type, jsonAs(resource, store, entry));
  last.set(store, { entry, key, bytes });
  return bytes;
}
