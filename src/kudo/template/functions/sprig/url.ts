import { FunctionFailure, type GoFunction } from '../../function.ts';
import { kindOf } from '../../type.ts';
import type { GoMap } from '../../value.ts';
import { define } from './define.ts';
import { nilPointer } from './slices.ts';
import { percentEncoded, UrlProblem } from './url/escape.ts';
import { hostnameOf, parseUrl, type UrlParts } from './url/parse-url.ts';

/** Units of work for a character of a URL. */
const READING = 20;
const WRITING = 5;

export const URLS: Readonly<Record<string, GoFunction>> = {
  urlJoin: define(['map[string]interface {}'], ([map], room) => {
    const url = join(map);
    room.work(url.length * WRITING);
    return url;
  }),
  urlParse: define(['string'], ([text], room) => {
    room.work(text.length * READING);
    const url = orFail(() => parseUrl(text), 'unable to parse url');
    return new Map([
      ['scheme', url.scheme],
      ['host', url.host],
      ['hostname', hostnameOf(url.host)],
      ['path', url.path],
      ['query', url.query],
      ['opaque', url.opaque],
      ['fragment', url.fragment],
      ['userinfo', url.user ?? ''],
    ]);
  }),
};

function join(map: GoMap): string {
  const url: UrlParts = {
    scheme: field(map, 'scheme'),
    host: field(map, 'host'),
    path: field(map, 'path'),
    query: field(map, 'query'),
    opaque: field(map, 'opaque'),
    fragment: field(map, 'fragment'),
    user: undefined,
  };
  const userinfo = field(map, 'userinfo');
  if (userinfo === '') return written(url);
  const { user } = orFail(() => parseUrl(`proto://${userinfo}@host`), 'unable to parse userinfo in dict');
  return written({ ...url, user });
}

function field(map: GoMap, key: string): string {
  const value = map.get(key);
  if (value === undefined) return '';
  if (value === null) throw nilPointer();
  if (typeof value === 'string') return value;
  throw new FunctionFailure(`unable to parse ${key} key, must be of type string, but ${kindOf(value)} found`);
}

function written({ scheme, opaque, host, user, path, query, fragment }: UrlParts): string {
  let out = scheme === '' ? '' : `${scheme}:`;
  if (opaque !== '') out += opaque;
  else {
    const hasAuthority = host !== '' || user !== undefined || (scheme !== '' && path !== '');
    if (hasAuthority) out += `//${user === undefined ? '' : `${user}@`}${percentEncoded(host, 'host')}`;
    const escaped = path === '*' ? path : percentEncoded(path, 'path');
    if (escaped !== '' && !escaped.startsWith('/') && host !== '') out += '/';
    // Else the part before the colon would be taken for a scheme.
    if (out === '' && /^[^/]*:/.test(escaped)) out += './';
    out += escaped;
  }
  if (query !== '') out += `?${query}`;
  return fragment === '' ? out : `${out}#${percentEncoded(fragment, 'fragment')}`;
}

function orFail<T>(parse: () => T, what: string): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof UrlProblem ? new FunctionFailure(`${what}: ${error.message}`) : error;
  }
}
