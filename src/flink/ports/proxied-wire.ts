import type { Clock } from '../../clock/clock.ts';
import type { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import { isStatus } from '../../kube/error-from.ts';
import { kinds } from '../../kube/kinds.ts';
import { described, type Heard, longestAnswer, textOf, type Upload, type Wire, type WireRequest } from './wire.ts';

/**
 * The way from outside of a Kubernetes cluster: through the API server's proxy to the Service `NAME-rest`.
 *
 * Assumption: this is how people try things out. A jar that is uploaded this way is held in memory, and the API server may
 * refuse a large one.
 */
export function proxiedWire({ client, clock }: { readonly client: Client; readonly clock: Clock }): Wire {
  const services = client.resource(kinds.services);
  const ending = new AbortController();
  return {
    async request(cluster, request) {
      const what = described(cluster, request);
      const limit = new AbortController();
      const stop = (): void => limit.abort();
      let late = false;
      const lift = clock.after(request.timeoutMs, () => {
        late = true;
        stop();
      });
      ending.signal.addEventListener('abort', stop, { once: true });
      request.signal?.addEventListener('abort', stop, { once: true });
      if (ending.signal.aborted || request.signal?.aborted) stop();
      try {
        const body = typeof request.body === 'object' ? await wholeOf(request.body) : request.body;
        const response = await services.proxy(
          { namespace: cluster.namespace, name: `${cluster.name}-rest` },
          {
            method: request.method,
            scheme: cluster.tls ? 'https' : 'http',
            port: cluster.port,
            path: request.path,
            headers: headersOf(request),
            ...(body !== undefined && { body }),
            // Counted here, because it counts until the end of the answer.
            timeoutMs: request.timeoutMs * 2,
            signal: limit.signal,
          },
        );
        const text = await textOf(response.body);
        if (text === undefined) {
          return { is: 'flood', message: `${what}: the answer is longer than ${longestAnswer / 1024 / 1024} MiB` };
        }
        return serversOwn(response.status, text, what) ?? { is: 'answer', status: response.status, text };
      } catch (error) {
        if (late) return { is: 'silence', message: `${what}: no answer within ${request.timeoutMs / 1000} s` };
        if (isKubeError(error, 'refused')) return { is: 'barred', message: error.message };
        return { is: 'silence', message: `${what}: ${error instanceof Error ? error.message : String(error)}` };
      } finally {
        lift();
        ending.signal.removeEventListener('abort', stop);
        request.signal?.removeEventListener('abort', stop);
      }
    },
    async close() {
      ending.abort();
    },
  };
}

/** What the API server says on its own behalf: Flink never answers with a `Status`. */
function serversOwn(status: number, text: string, what: string): Heard | undefined {
  if (status < 400) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The proxy's own words when it cannot reach the pod are plain text.
    return text.startsWith('error trying to reach service')
      ? { is: 'silence', message: `${what}: ${text.trim().slice(0, 200)}` }
      : undefined;
  }
  if (!isStatus(value)) return undefined;
  const message = `${what}: the API server says: ${value.message ?? value.reason ?? status}`;
  return status === 401 || status === 403 ? { is: 'barred', message } : { is: 'silence', message };
}

function headersOf({ headers, body }: WireRequest): Record<string, string> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return { accept: 'application/json', ...type, ...headers };
}

async function wholeOf(upload: Upload): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of upload.open()) chunks.push(chunk);
  return Buffer.concat(chunks);
}
