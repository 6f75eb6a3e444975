import * as http from 'node:http';
import * as https from 'node:https';
import { pipeline, Readable } from 'node:stream';
import type { Clock } from '../../clock/clock.ts';
import type { ClusterAddress } from '../rest.ts';
import type { RestTls } from './rest-tls.ts';
import { described, type Heard, longestAnswer, textOf, type Wire, type WireRequest } from './wire.ts';

export interface DirectWireOptions {
  readonly clock: Clock;
  /** For clusters with `security.ssl.rest.enabled`. */
  readonly tls?: RestTls;
  /** Where a cluster listens. Default: its Service, by the name that DNS has inside of the Kubernetes cluster. */
  readonly placeOf?: (cluster: ClusterAddress) => Place;
}

/** Where the REST interface of a cluster is. */
export interface Place {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** What stands before every path; nothing, or `/team-a/orders`. */
  readonly prefix: string;
}

/** Errors of a connection that the other side closed while it was idle. */
const staleCodes = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/**
 * The way from inside of a Kubernetes cluster: `http(s)://NAME-rest.NAMESPACE:PORT`. One keep-alive client for all Flink
 * clusters; a connection that is idle for longer than 30 s is closed.
 */
export function directWire(options: DirectWireOptions): Wire {
  const { clock, tls, placeOf = serviceOf } = options;
  // Per host: one gateway may stand before all clusters.
  const pool = { keepAlive: true, maxFreeSockets: 16, timeout: 30_000 };
  const plain = new http.Agent(pool);
  const secure = new https.Agent({ ...pool, ...tls });
  const running = new Set<() => void>();
  let closed = false;

  function send(cluster: ClusterAddress, request: WireRequest): Promise<Heard> {
    const what = described(cluster, request);
    return new Promise((resolve) => {
      const place = placeOf(cluster);
      const outgoing = (place.tls ? https : http).request({
        host: place.host,
        port: place.port,
        method: request.method,
        path: `${place.prefix}${request.path}`,
        agent: place.tls ? secure : plain,
        headers: headersOf(request),
      });
      const end = (heard: Heard): void => {
        lift();
        running.delete(onClose);
        request.signal?.removeEventListener('abort', onAbort);
        resolve(heard);
        if (!outgoing.destroyed && heard.is !== 'answer') outgoing.destroy();
      };
      const silence = (why: string): void => end({ is: 'silence', message: `${what}: ${why}` });
      const onAbort = (): void => silence('nobody waits for it any more');
      const onClose = (): void => silence('the program ends');
      const lift = clock.after(request.timeoutMs, () => silence(`no answer within ${request.timeoutMs / 1000} s`));
      running.add(onClose);
      request.signal?.addEventListener('abort', onAbort, { once: true });

      outgoing.once('response', (incoming) => {
        textOf(incoming).then(
          (text) => end(text === undefined ? flood(what) : { is: 'answer', status: incoming.statusCode ?? 0, text }),
          (error: unknown) => silence(`the answer broke off: ${reason(error)}`),
        );
      });
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        const stale = outgoing.reusedSocket && staleCodes.has(error.code ?? '');
        if (!stale || request.method !== 'GET' || closed || request.signal?.aborted) return silence(reason(error));
        lift();
        running.delete(onClose);
        request.signal?.removeEventListener('abort', onAbort);
        resolve(send(cluster, request));
      });
      if (request.body === undefined || typeof request.body === 'string') outgoing.end(request.body);
      // What goes wrong on either end ends both, and is heard as an error of the request.
      else pipeline(Readable.from(request.body.open()), outgoing, () => {});
    });
  }

  return {
    async request(cluster, request) {
      const what = described(cluster, request);
      if (closed) return { is: 'silence', message: `${what}: the program ends` };
      if (request.signal?.aborted) return { is: 'silence', message: `${what}: nobody waits for it any more` };
      try {
        return await send(cluster, request);
      } catch (error) {
        // What Node refuses to send at all: a host, path or header that cannot be.
        return { is: 'barred', message: `${what}: ${reason(error)}` };
      }
    },
    async close() {
      closed = true;
      for (const end of [...running]) end();
      plain.destroy();
      secure.destroy();
    },
  };
}

function serviceOf({ namespace, name, port, tls }: ClusterAddress): Place {
  return { host: `${name}-rest.${namespace}`, port, tls, prefix: '' };
}

function headersOf({ headers, body }: WireRequest): http.OutgoingHttpHeaders {
  if (body === undefined) return { accept: 'application/json', ...headers };
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.size;
  return {
    accept: 'application/json',
    'content-type': 'application/json',
    ...headers,
    'content-length': String(length),
  };
}

function flood(what: string): Heard {
  return { is: 'flood', message: `${what}: the answer is longer than ${longestAnswer / 1024 / 1024} MiB` };
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || (error as NodeJS.ErrnoException).code || error.name;
}
