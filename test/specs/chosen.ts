import type { Random } from '../../src/clock/random.ts';
import { untouchedBy } from './fuzz-kind.ts';
import type { Ground } from './ground.ts';
import type { Operation } from './operation.ts';

/**
 * All samples, one operation on each property that none of them writes, and so many others by chance. An operation that
 * everybody may see comes before one that only admission sees.
 */
export function chosen(
  ground: Ground,
  operations: readonly Operation[],
  most: number,
  random: Random,
): readonly Operation[] {
  const sets = operations.filter((operation) => operation.class === 'set');
  const picked = [...sets];
  for (const text of untouchedBy(ground, sets)) {
    const writes = (one: Operation): boolean => one.about === text && !untouchedBy(ground, [one]).includes(text);
    const about = operations.filter(writes);
    const one = about.find(({ live, class: kind }) => live && (kind === 'change' || kind === 'misuse')) ?? about[0];
    if (one) picked.push(one);
  }
  const others = operations.filter((operation) => !picked.includes(operation));
  const shuffled = others.map((operation) => ({ operation, at: random.next() })).sort((a, b) => a.at - b.at);
  return [...picked, ...shuffled.slice(0, most).map(({ operation }) => operation)];
}
