import type { Random } from '../../clock/random.ts';
import { StatusError } from '../status-error.ts';
import type { Service } from './objects/cluster.ts';

/** Services get addresses from 10.96.0.0/16 without its first, which is the API server's own. */
const addresses = 2 ** 16 - 3;
const [firstPort, ports] = [30000, 2768];

/** An address that no Service has. */
export function clusterAddress(services: readonly Service[], random: Random): string {
  const taken = new Set(services.map((one) => one.spec.clusterIP));
  const number = free(addresses, (index) => !taken.has(addressAt(index)), random, 'IP range is full');
  return addressAt(number);
}

const addressAt = (index: number): string => `10.96.${(index + 2) >> 8}.${(index + 2) & 255}`;

/** A node port that is not taken. */
export function nodePort(taken: ReadonlySet<number | undefined>, random: Random): number {
  const why = 'port range is full';
  return firstPort + free(ports, (index) => !taken.has(firstPort + index), random, why);
}

/** A free place near a random one. */
function free(size: number, isFree: (index: number) => boolean, random: Random, why: string): number {
  const start = Math.floor(random.next() * size);
  for (let step = 0; step < size; step++) {
    if (isFree((start + step) % size)) return (start + step) % size;
  }
  throw new StatusError(500, 'InternalError', `Internal error occurred: failed to allocate: ${why}`);
}
