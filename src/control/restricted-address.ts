import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Networks that a download on behalf of a user must not reach, and what they are. */
const networks: readonly (readonly [what: string, address: string, prefix: number])[] = [
  ['unspecified', '0.0.0.0', 8],
  ['private', '10.0.0.0', 8],
  ['shared by a carrier or cloud', '100.64.0.0', 10],
  ['loopback', '127.0.0.0', 8],
  ['link-local, where clouds keep their metadata', '169.254.0.0', 16],
  ['private', '172.16.0.0', 12],
  ['reserved for protocols', '192.0.0.0', 24],
  ['reserved for documentation', '192.0.2.0', 24],
  ['reserved for relays', '192.88.99.0', 24],
  ['private', '192.168.0.0', 16],
  ['reserved for measurements', '198.18.0.0', 15],
  ['reserved for documentation', '198.51.100.0', 24],
  ['reserved for documentation', '203.0.113.0', 24],
  ['multicast', '224.0.0.0', 4],
  ['reserved', '240.0.0.0', 4],
  ['unspecified', '::', 128],
  ['loopback', '::1', 128],
  ['local translation', '64:ff9b:1::', 48],
  ['discard-only', '100::', 64],
  ['tunnelled', '2001::', 32],
  ['reserved for documentation', '2001:db8::', 32],
  ['tunnelled', '2002::', 16],
  ['reserved for documentation', '3fff::', 20],
  ['private', 'fc00::', 7],
  ['link-local', 'fe80::', 10],
  ['private', 'fec0::', 10],
  ['multicast', 'ff00::', 8],
];

/** Networks of IPv6 whose last 32 bits are an IPv4 address: what counts is that one. */
const carriers = blockList([
  ['::', 96],
  ['::ffff:0:0', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
]);

const lists = networks.map(([what, address, prefix]) => ({ what, list: blockList([[address, prefix]]) }));

/**
 * Why an address must not be downloaded from: it is inside of the cluster, of the machine or of its cloud, or nowhere.
 * Nothing for a public address. What is no address at all is restricted.
 *
 * A name says nothing about this: whoever connects must ask about every address that the name resolves to, in the moment of
 * connecting, and again after every redirect. Otherwise a name that changes its address gets in.
 */
export function restrictedAddress(ip: string): string | undefined {
  const address = ip.replace(/%.*$/s, '');
  if (isIPv4(address)) return lists.find(({ list }) => list.check(address, 'ipv4'))?.what;
  if (!isIPv6(address)) return 'no address';
  const own = lists.find(({ list }) => list.check(address, 'ipv6'))?.what;
  return own ?? (carriers.check(address, 'ipv6') ? restrictedAddress(carried(address)) : undefined);
}

/** The IPv4 address in the last 32 bits. */
function carried(address: string): string {
  const dotted = /\d+\.\d+\.\d+\.\d+$/.exec(address)?.[0];
  if (dotted !== undefined) return dotted;
  const [, tail = ''] = /::(.*)$/.exec(address) ?? [undefined, address];
  const [high = 0, low = 0] = `0:0:${tail}`
    .split(':')
    .slice(-2)
    .map((group) => Number.parseInt(group || '0', 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function blockList(subnets: readonly (readonly [address: string, prefix: number])[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of subnets) list.addSubnet(address, prefix, isIPv4(address) ? 'ipv4' : 'ipv6');
  return list;
}
