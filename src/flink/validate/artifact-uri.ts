import { isIP } from 'node:net';
import { restrictedAddress } from '../../control/restricted-address.ts';
import { schemeOf, shownUri, uriFault } from './uri.ts';

/** Where the operator may download jars of session jobs from. */
export interface ArtifactPolicy {
  /** `kubernetes.operator.user.artifacts.allowed-schemes` */
  readonly schemes: readonly string[];
  /** `kubernetes.operator.user.artifacts.disallow-restricted-hosts` */
  readonly restrictHosts: boolean;
}

/** Why a jar is not downloaded from somewhere. */
export interface ArtifactFault {
  readonly what: 'syntax' | 'scheme' | 'credentials' | 'host';
  readonly message: string;
}

/**
 * What is wrong with the place of a jar, as far as its text tells; the same for a place that a redirect names.
 *
 * Names are judged by what they always are. What else they resolve to is for whoever connects: `restrictedAddress`.
 */
export function artifactFault(uri: string, { schemes, restrictHosts }: ArtifactPolicy): ArtifactFault | undefined {
  const place = `the artifact URI ${shownUri(uri)}`;
  const fault = uriFault(uri);
  if (fault !== undefined) return { what: 'syntax', message: `${place} is no URI: ${fault}` };
  const scheme = schemeOf(uri);
  if (scheme === undefined) {
    return { what: 'scheme', message: `${place} has no scheme; begin it with ${choice(schemes)}` };
  }
  if (!schemes.includes(scheme)) {
    const option = 'kubernetes.operator.user.artifacts.allowed-schemes';
    return {
      what: 'scheme',
      message: `${place} has the scheme "${scheme}", which is not allowed; use ${choice(schemes)}, or have ${option} of the operator extended`,
    };
  }
  return scheme === 'http' || scheme === 'https' ? webFault(uri, place, restrictHosts) : undefined;
}

/** The parser of the web reads 0x7f.1, 0177.0.0.1 and 2130706433 as 127.0.0.1, as those do who connect. */
function webFault(uri: string, place: string, restrictHosts: boolean): ArtifactFault | undefined {
  const url = /^\w+:\/\/[^/?#]/.test(uri) ? URL.parse(uri) : null;
  if (!url) {
    return { what: 'syntax', message: `${place} names no valid host; write https://HOST/PATH` };
  }
  if (url.username !== '' || url.password !== '') {
    return {
      what: 'credentials',
      message: `${place} has a user or password in it, for everybody to read; use kubernetes.operator.user.artifacts.http.header instead`,
    };
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const why = restrictHosts ? restrictedHost(host) : undefined;
  if (why === undefined) return undefined;
  return {
    what: 'host',
    message: `${place} names the restricted host "${host}": ${why}; use a public host, or have kubernetes.operator.user.artifacts.disallow-restricted-hosts of the operator set to false`,
  };
}

/** Ends of names that are never public, and why. */
const privateNames: readonly (readonly [ending: RegExp, why: string])[] = [
  [/(^|\.)localhost$/, 'the machine itself'],
  [/(^|\.)localdomain$/, 'the machine itself'],
  [/(^|\.)svc$/, 'a service of the cluster'],
  [/(^|\.)cluster\.local$/, 'a service of the cluster'],
  [/(^|\.)internal$/, 'a name of a private network, where clouds keep their metadata'],
  [/(^|\.)(local|home\.arpa|intranet|lan|corp)$/, 'a name of a private network'],
  [/^[^.]*$/, 'a name without a dot, which only the cluster itself can resolve'],
];

/** Why a host must not be downloaded from: an address by its network, a name by its end. */
function restrictedHost(host: string): string | undefined {
  const name = host.replace(/\.+$/, '');
  if (isIP(name) === 0) return privateNames.find(([ending]) => ending.test(name))?.[1];
  const what = restrictedAddress(name);
  return what && `its address is ${what}`;
}

function choice(schemes: readonly string[]): string {
  return schemes.length === 0 ? 'no scheme at all: none is allowed' : schemes.map((one) => `${one}:`).join(' or ');
}
