import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { guardedLookup, type Resolve, systemResolve } from './guarded-lookup.ts';
import { restrictedAddress } from './restricted-address.ts';

/** What has an answer without a body, whatever follows it. */
const bodiless = [204, 205, 304];

export interface PublicGetOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Default: this machine's resolver. */
  readonly resolve?: Resolve;
}

/**
 * Asks a place that a stranger chose: over TLS, and at a public address, judged in the moment of connecting. Follows nothing.
 * Rejects when that cannot be; why is for nobody who is not trusted with the operator's network.
 */
export function publicGet(url: URL, { headers, signal, resolve = systemResolve }: PublicGetOptions): Promise<Response> {
  const lookup = guardedLookup(resolve, (host, address, what) => new Error(`${host} stands for ${address}: ${what}`));
  return new Promise((done, reject) => {
    const literal = url.hostname.replace(/^\[|\]$/g, '');
    const what = isIP(literal) ? restrictedAddress(literal) : undefined;
    if (url.protocol !== 'https:') throw new Error(`${url.protocol} is not https:`);
    if (what !== undefined) throw new Error(`${literal} is ${what}`);
    // A connection of its own: none that was made under other rules is used again.
    const request = get(url, { headers, lookup, signal, agent: false }, (answer) => {
      try {
        done(responseOf(answer));
      } catch (error) {
        answer.destroy();
        reject(error);
      }
    });
    request.on('error', reject);
  });
}

/** What was answered, as `fetch` has it. Throws when it is no answer by any standard. */
export function responseOf(answer: IncomingMessage): Response {
  const { statusCode: status = 0 } = answer;
  const headers = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  const empty = bodiless.includes(status);
  if (empty) answer.resume();
  return new Response(empty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>), { status, headers });
}
