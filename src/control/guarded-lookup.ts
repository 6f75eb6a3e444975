import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { restrictedAddress } from './restricted-address.ts';

/** All addresses that a name stands for. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** As this machine knows them. */
export const systemResolve: Resolve = (host) =>
  new Promise((resolve, reject) =>
    lookup(host, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses))),
  );

/** How a connection finds addresses: whatever a name stands for. */
export function lookupBy(resolve: Resolve): LookupFunction {
  return (host, options, done) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) done(null, [...addresses]);
        else if (first) done(null, first.address, first.family);
        else done(new Error(`${host} has no address`), '', 0);
      },
      (error: Error) => done(error, '', 0),
    );
  };
}

/**
 * The same, but a name that stands for any address that must not be reached is refused: whoever answers for it could answer with
 * that one next.
 *
 * Assumption: the connection is a new one. And a host that is written as an address is looked up by nobody: `restrictedAddress`
 * is asked about it before.
 */
export function guardedLookup(
  resolve: Resolve,
  refusal: (host: string, address: string, what: string) => Error,
): LookupFunction {
  return lookupBy(async (host) => {
    const addresses = await resolve(host);
    for (const { address } of addresses) {
      const what = restrictedAddress(address);
      if (what !== undefined) throw refusal(host, address, what);
    }
    return addresses;
  });
}
