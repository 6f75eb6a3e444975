import { isIP } from 'node:net';
import { type Resolve, systemResolve } from './guarded-lookup.ts';
import { restrictedAddress } from './restricted-address.ts';

/**
 * Whether a host, as a URL has it, is nowhere but inside of the cluster, of the machine or of its network. A name that stands for a
 * public address as well is not, nor is one that stands for nothing.
 *
 * Assumption: nothing that must be safe hangs on it alone. Whoever answers for the name may answer differently next time.
 */
export async function isInside(hostname: string, resolve: Resolve = systemResolve): Promise<boolean> {
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal)) return restrictedAddress(literal) !== undefined;
  const addresses = await resolve(literal).catch(() => []);
  return addresses.length > 0 && addresses.every(({ address }) => restrictedAddress(address) !== undefined);
}
