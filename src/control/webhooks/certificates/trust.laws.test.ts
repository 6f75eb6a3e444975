import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { day, type Mistake, TrustWorld } from './trust.fixture.ts';
import type { Kept } from './view.ts';

type Event =
  | { readonly is: 'step' | 'crash' | 'hear'; readonly who: number }
  | { readonly is: 'pass'; readonly ms: number }
  /** Days, before which one replica had a quarter of an hour without a crash. */
  | { readonly is: 'days'; readonly who: number; readonly ms: number };

const who = fc.nat(5);
const minute = 60_000;
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 20, arbitrary: fc.record({ is: fc.constant('step' as const), who }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('crash' as const), who }) },
  { weight: 4, arbitrary: fc.record({ is: fc.constant('hear' as const), who }) },
  {
    weight: 5,
    arbitrary: fc.record({
      is: fc.constant('pass' as const),
      ms: fc.constantFrom(1000, 4 * minute, 11 * minute),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ is: fc.constant('days' as const), who, ms: fc.integer({ min: day, max: 3 * day }) }),
  },
);
const skews = fc.array(fc.integer({ min: -5 * minute, max: 5 * minute }), { minLength: 1, maxLength: 3 });

function play(world: TrustWorld, events: readonly Event[], check: () => void): void {
  for (const one of events) {
    if (one.is === 'pass') world.pass(one.ms);
    else if (one.is === 'days') {
      for (let request = 0; request < 24; request++) {
        world.step(one.who);
        check();
        if (request === 12) world.pass(15 * minute);
      }
      world.pass(one.ms);
    } else world[one.is](one.who);
    check();
  }
}

/** Everybody works in turn, minutes pass, and nothing is disturbed any more. */
function calm(world: TrustWorld, rounds: number): void {
  for (let round = 0; round < rounds; round++) {
    for (let request = 0; request < 8; request++) world.replicas.forEach((_, index) => void world.step(index));
    world.pass(4 * minute);
  }
}

/** The first distrust that a world with this mistake comes to. */
function distrusted(mistake?: Mistake): fc.RunDetails<[number[], Event[]]> {
  const property = fc.property(
    skews,
    fc.array(event, { minLength: 100, maxLength: 300, size: 'max' }),
    (skewed, events) => {
      const world = new TrustWorld(skewed, mistake);
      calm(world, 2);
      play(world, events, () => {
        const [first] = world.distrust();
        if (first !== undefined) throw new Error(first);
      });
    },
  );
  return fc.check(property, { numRuns: mistake ? 3000 : 200, seed: 7, endOnFailure: true });
}

describe('an API server', () => {
  it('never distrusts a replica, whoever is late, dies, or is stopped between two requests', () => {
    const { failed, errorInstance } = distrusted();
    if (failed) throw errorInstance;
  });

  it.each<Mistake>(['secret read first', 'no settling', 'old authority dropped with its key', 'no versions'])(
    'would distrust one with %s: the law can fail',
    (mistake) => {
      expect(distrusted(mistake).failed).toBe(true);
    },
  );
});

describe('after a disturbance everything is trusted again, and nothing more is written', () => {
  const disturbances: Readonly<Record<string, (world: TrustWorld) => void>> = {
    'a configuration is overwritten': (world) => world.overwrite('validating'),
    'both are': (world) => {
      world.overwrite('validating');
      world.overwrite('mutating');
    },
    'the Secret is deleted': (world) => world.damage({ authorities: [] }),
    'the key of the authority is lost': (world) => world.damage(without(world.secret.kept, 'signer')),
    'the certificate is lost': (world) => world.damage(without(world.secret.kept, 'leaf')),
    'the authorities are lost': (world) => world.damage({ ...world.secret.kept, authorities: [] }),
    'everybody stands still for a year': (world) => world.pass(365 * day),
    'everybody stands still for four years': (world) => world.pass(4 * 365 * day),
    'the clock was four years ahead for a while': (world) => {
      world.pass(4 * 365 * day);
      calm(world, 6);
      world.time -= 4 * 365 * day;
    },
    'the clock was four years behind for a while': (world) => {
      world.time -= 4 * 365 * day;
      calm(world, 6);
      world.time += 4 * 365 * day;
    },
  };

  it.each(Object.keys(disturbances))('%s', (name) => {
    fc.assert(
      fc.property(skews, fc.array(event, { maxLength: 100 }), (skewed, events) => {
        const world = new TrustWorld(skewed);
        calm(world, 2);
        play(world, events, () => {});
        disturbances[name]?.(world);
        calm(world, 8);
        expect(world.distrust()).toEqual([]);
        expect(world.replicas.every(({ memory }) => memory.served !== undefined)).toBe(true);
        const { until, from } = world.secret.kept.leaf as NonNullable<Kept['leaf']>;
        expect(from <= world.time && world.time < until).toBe(true);
        expect(world.secret.kept.authorities.length).toBeLessThanOrEqual(5);
        const [{ version }, writes] = [world.secret, world.history.validating.length];
        calm(world, 2);
        expect([world.secret.version, world.history.validating.length]).toEqual([version, writes]);
      }),
      { numRuns: 30, seed: 7 },
    );
  });
});

function without(kept: Kept, part: 'signer' | 'leaf'): Kept {
  const { [part]: _, ...rest } = kept;
  return rest;
}
