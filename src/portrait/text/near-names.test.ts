import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { didYouMean, nearNames } from './near-names.ts';

describe('near names', () => {
  it.each([
    ['casandra', ['cassandra', 'kafka'], ['cassandra']],
    ['kafak', ['kafka', 'kafko', 'zookeeper'], ['kafka']],
    ['HEAP', ['HEAP_SIZE', 'HELP', 'NODE_COUNT'], ['HELP', 'HEAP_SIZE']],
    ['heap_size', ['HEAP_SIZE'], ['HEAP_SIZE']],
    ['zookeeper', ['kafka'], []],
    ['a', ['b', 'longer'], ['b']],
  ])('of %s among %j are %j', (wanted, names, near) => {
    expect(nearNames(wanted, names)).toEqual(near);
  });

  it('makes a question of them, or nothing', () => {
    expect(didYouMean('on', ['one', 'own'])).toBe(' Did you mean "one" or "own"?');
    expect(didYouMean('nothing', ['like', 'it'])).toBe('');
  });

  it('takes names of any length, and always finds the name itself first', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 400 }),
        fc.array(fc.string(), { maxLength: 5 }),
        (name, others) => {
          expect(nearNames(name, [...others.filter((one) => one.toLowerCase() !== name.toLowerCase()), name])[0]).toBe(
            name,
          );
        },
      ),
    );
  });
});
