import { BlockList, isIP, isIPv4 } from 'node:net';
import type { Environment } from '@marcbachmann/cel-js';

class Url {
  readonly text: string;
  readonly parsed: URL;
  constructor(text: string, parsed: URL) {
    this.text = text;
    this.parsed = parsed;
  }
}

class Ip {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

class Cidr {
  readonly address: string;
  readonly bits: number;
  constructor(address: string, bits: number) {
    this.address = address;
    this.bits = bits;
  }
}

/** Kubernetes' functions on URLs and addresses. */
export function registerNetwork(environment: Environment): void {
  registerUrls(environment);
  registerAddresses(environment);
}

/** An absolute URI, or an absolute path. */
function parseUrl(text: string): Url | undefined {
  const absolute = /^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(text);
  if (!absolute && !text.startsWith('/')) return undefined;
  try {
    return new Url(text, new URL(text, absolute ? undefined : 'path://'));
  } catch {
    return undefined;
  }
}

function registerUrls(environment: Environment): void {
  const name = 'kubernetes.URL';
  environment.registerType(name, { ctor: Url, fields: {} });
  environment.registerFunction(`url(string): ${name}`, (text: string) => {
    const url = parseUrl(text);
    if (!url)
      throw new Error(`URL parse error during conversion from string: parse "${text}": invalid URI for request`);
    return url;
  });
  environment.registerFunction('isURL(string): bool', (text: string) => parseUrl(text) !== undefined);
  const get = (method: string, read: (url: URL) => string): void => {
    environment.registerFunction(`${name}.${method}(): string`, ({ text, parsed }: Url) =>
      text.startsWith('/') && !['getEscapedPath', 'getQuery'].includes(method) ? '' : read(parsed),
    );
  };
  get('getScheme', ({ protocol }) => protocol.replace(/:$/, ''));
  get('getHost', ({ host }) => host);
  get('getHostname', ({ hostname }) => hostname.replace(/^\[|\]$/g, ''));
  get('getPort', ({ port }) => port);
  get('getEscapedPath', ({ pathname }) => pathname);
  environment.registerFunction(`${name}.getQuery(): map<string, list<string>>`, ({ parsed }: Url) => {
    const query = new Map<string, string[]>();
    for (const [key, value] of parsed.searchParams) query.set(key, [...(query.get(key) ?? []), value]);
    return query;
  });
  environment.registerOperator(`${name} == ${name}`, (a: Url, b: Url) => a.text === b.text);
}

function registerAddresses(environment: Environment): void {
  const [ip, cidr] = ['kubernetes.IP', 'kubernetes.CIDR'];
  environment.registerType(ip, { ctor: Ip, fields: {} });
  environment.registerType(cidr, { ctor: Cidr, fields: {} });
  const address = (text: string): Ip => {
    if (!isIP(text) || text.includes('%'))
      throw new Error(`IP Address "${text}" parse error during conversion from string`);
    return new Ip(text);
  };
  environment.registerFunction(`ip(string): ${ip}`, address);
  environment.registerFunction('isIP(string): bool', (text: string) => isIP(text) !== 0 && !text.includes('%'));
  environment.registerFunction(`${ip}.family(): int`, ({ text }: Ip) => (isIPv4(text) ? 4n : 6n));
  environment.registerFunction(`string(${ip}): string`, ({ text }: Ip) => text);
  environment.registerOperator(`${ip} == ${ip}`, (a: Ip, b: Ip) => inside(new Cidr(a.text, width(a.text)), b.text));
  environment.registerFunction(`cidr(string): ${cidr}`, (text: string) => {
    const parsed = parseCidr(text);
    if (!parsed) throw new Error(`network address parse error during conversion from string: "${text}"`);
    return parsed;
  });
  environment.registerFunction('isCIDR(string): bool', (text: string) => parseCidr(text) !== undefined);
  environment.registerFunction(`${cidr}.containsIP(string): bool`, (range: Cidr, text: string) =>
    inside(range, address(text).text),
  );
  environment.registerFunction(`${cidr}.containsIP(${ip}): bool`, (range: Cidr, { text }: Ip) => inside(range, text));
  environment.registerFunction(`${cidr}.containsCIDR(string): bool`, (range: Cidr, text: string) => {
    const other = parseCidr(text);
    return other !== undefined && other.bits >= range.bits && inside(range, other.address);
  });
  environment.registerFunction(`${cidr}.containsCIDR(${cidr}): bool`, (range: Cidr, other: Cidr) => {
    return other.bits >= range.bits && inside(range, other.address);
  });
  environment.registerFunction(`${cidr}.ip(): ${ip}`, ({ address: text }: Cidr) => new Ip(text));
  environment.registerFunction(`${cidr}.prefixLength(): int`, ({ bits }: Cidr) => BigInt(bits));
}

const width = (address: string): number => (isIPv4(address) ? 32 : 128);

function parseCidr(text: string): Cidr | undefined {
  const [address = '', bits = ''] = text.split('/');
  if (!isIP(address) || !/^\d{1,3}$/.test(bits) || Number(bits) > width(address)) return undefined;
  return new Cidr(address, Number(bits));
}

function inside({ address, bits }: Cidr, other: string): boolean {
  if (isIPv4(address) !== isIPv4(other)) return false;
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(address, bits, family);
  return list.check(other, family);
}
