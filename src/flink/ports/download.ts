import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import { guardedLookup, lookupBy, type Resolve, systemResolve } from '../../control/guarded-lookup.ts';
import { PortError } from '../../control/port.ts';
import type { ArtifactRules } from '../calls.ts';
import { artifactFault } from '../validate/artifact-uri.ts';
import { shownUri } from '../validate/uri.ts';

/** A download that has begun. */
export interface Download {
  /** As the server announces it. */
  readonly length: number | undefined;
  readonly body: http.IncomingMessage;
}

/** More than anybody needs. */
const mostRedirects = 5;

/**
 * Opens a place on the web, following redirects. Headers go to the origin that the user named and to no other. Rejects
 * with a `PortError`.
 */
export async function openDownload(
  uri: string,
  rules: ArtifactRules,
  options: { readonly signal: AbortSignal; readonly resolve?: Resolve },
): Promise<Download> {
  const { resolve = systemResolve, signal } = options;
  const lookup = rules.disallowRestrictedHosts ? guarded(resolve) : lookupBy(resolve);
  const web = rules.allowedSchemes.filter((scheme) => scheme === 'http' || scheme === 'https');
  const policy = { schemes: web, restrictHosts: rules.disallowRestrictedHosts };
  let url = new URL(uri);
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const fault = artifactFault(url.href, policy);
    if (fault)
      throw new PortError(
        'refused',
        redirects === 0 ? fault.message : `${shownUri(uri)} leads astray: ${fault.message}`,
      );
    const headers = url.origin === new URL(uri).origin ? rules.headers : {};
    const answer = await get(url, headers, lookup, signal);
    const { statusCode = 0 } = answer;
    if (statusCode === 200) {
      const length = Number(answer.headers['content-length']);
      return { length: Number.isSafeInteger(length) ? length : undefined, body: answer };
    }
    answer.destroy();
    const { location } = answer.headers;
    if (![301, 302, 303, 307, 308].includes(statusCode) || !location) throw refusedBy(url, statusCode);
    const next = URL.parse(location, url.href);
    if (!next)
      throw new PortError(
        'refused',
        `${shownUri(uri)} leads to ${JSON.stringify(shownUri(location))}, which is no URI`,
      );
    url = next;
  }
  throw new PortError('refused', `${shownUri(uri)} leads from one place to another more than ${mostRedirects} times`);
}

function refusedBy(url: URL, status: number): PortError {
  const later = status === 408 || status === 425 || status === 429 || status >= 500;
  return new PortError(
    later ? 'unknown' : 'refused',
    `${url.origin} answered ${status} when asked for ${url.pathname}`,
  );
}

function get(
  url: URL,
  headers: Readonly<Record<string, string>>,
  lookup: LookupFunction,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void =>
      reject(
        error instanceof PortError
          ? error
          : new PortError('unknown', `${url.origin} cannot be reached: ${error.message}`, { cause: error }),
      );
    try {
      const { request } = url.protocol === 'https:' ? https : http;
      // A connection of its own: none that was made under other rules is used again.
      request(url, { headers, lookup, signal, agent: false }, resolve).on('error', fail).end();
    } catch (error) {
      reject(new PortError('refused', `the jar cannot be asked for: ${(error as Error).message}`, { cause: error }));
    }
  });
}

/** Names that stand for an address inside are refused, with the way out. */
function guarded(resolve: Resolve): LookupFunction {
  return guardedLookup(
    resolve,
    (host, address, what) =>
      new PortError(
        'refused',
        `${host} stands for ${address}, which is ${what}: jars are not fetched from there unless kubernetes.operator.user.artifacts.disallow-restricted-hosts of the operator is false`,
      ),
  );
}
