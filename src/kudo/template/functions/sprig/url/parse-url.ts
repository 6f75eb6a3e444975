import { isIPv4, isIPv6 } from 'node:net';
import { quote } from '../../../format/quote.ts';
import { percentDecoded, percentEncoded, UrlProblem } from './escape.ts';

export interface UrlParts {
  readonly scheme: string;
  readonly opaque: string;
  /** With its port. */
  readonly host: string;
  /** Escaped, with a password or not; nothing if there is none. */
  readonly user: string | undefined;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

const NOTHING: UrlParts = { scheme: '', opaque: '', host: '', user: undefined, path: '', query: '', fragment: '' };

/** Takes a URL apart as Go does, which is neither the standard of browsers nor quite that of RFC 3986. Throws `UrlProblem`. */
export function parseUrl(text: string): UrlParts {
  const [address, rawFragment] = cut(text, '#');
  const parts = named(address, () => parseAddress(address));
  if (rawFragment === '') return parts;
  return { ...parts, fragment: named(text, () => percentDecoded(rawFragment, 'fragment')) };
}

export function hostnameOf(host: string): string {
  const name = host.replace(/:[0-9]*$/, '');
  return name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
}

function named<T>(url: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof UrlProblem ? new UrlProblem(`parse ${quote(url)}: ${error.message}`) : error;
  }
}

function parseAddress(text: string): UrlParts {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not be there
  if (/[\x00-\x1f\x7f]/.test(text)) throw new UrlProblem('net/url: invalid control character in URL');
  if (text.startsWith(':')) throw new UrlProblem('missing protocol scheme');
  const [whole = '', name = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text) ?? [];
  const scheme = name.toLowerCase();
  const [rest, query] = cut(text.slice(whole.length), '?');

  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...NOTHING, scheme, query, opaque: rest };
    if (cut(rest, '/')[0].includes(':')) {
      throw new UrlProblem('first path segment in URL cannot contain colon');
    }
  }
  if (!rest.startsWith('//') || (scheme === '' && rest.startsWith('///'))) {
    return { ...NOTHING, scheme, query, path: percentDecoded(rest, 'path') };
  }
  const [authority] = cut(rest.slice(2), '/');
  return {
    ...NOTHING,
    scheme,
    query,
    ...parseAuthority(authority),
    path: percentDecoded(rest.slice(2 + authority.length), 'path'),
  };
}

function parseAuthority(text: string): Pick<UrlParts, 'host' | 'user'> {
  const at = text.lastIndexOf('@');
  const host = parseHost(text.slice(at + 1));
  if (at < 0) return { host, user: undefined };
  const user = text.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) throw new UrlProblem('net/url: invalid userinfo');
  const [name, password] = cut(user, ':');
  const escaped = percentEncoded(percentDecoded(name, 'user'), 'user');
  return {
    host,
    user: user.includes(':') ? `${escaped}:${percentEncoded(percentDecoded(password, 'user'), 'user')}` : escaped,
  };
}

function parseHost(host: string): string {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) throw new UrlProblem('invalid IP-literal');
  if (bracket === 0) return parseLiteral(host);
  // Only the last one: some databases have several hosts with ports here.
  const colon = host.lastIndexOf(':');
  if (colon >= 0) checkPort(host.slice(colon));
  return percentDecoded(host, 'host');
}

/** `[::1]:80`, `[fe80::1%25en0]`. */
function parseLiteral(host: string): string {
  const end = host.lastIndexOf(']');
  if (end < 0) throw new UrlProblem("missing ']' in host");
  const port = host.slice(end + 1);
  checkPort(port);
  const name = percentDecoded(host.slice(1, end), 'host');
  if (isIPv4(name)) throw new UrlProblem('invalid IP-literal');
  if (!isIPv6(name)) throw new UrlProblem(`invalid host: ParseAddr(${quote(name)}): unable to parse IP`);
  return `[${name}]${port}`;
}

function checkPort(port: string): void {
  if (!/^(?::[0-9]*)?$/.test(port)) throw new UrlProblem(`invalid port ${quote(port)} after host`);
}

function cut(text: string, at: string): readonly [string, string] {
  const index = text.indexOf(at);
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + at.length)];
}
