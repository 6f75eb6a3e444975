import { brokenAtRest } from './broken-at-rest.ts';
import { brokenBy } from './broken-by.ts';
import type { Broken } from './invariants.ts';
import { keyOf } from './key.ts';
import { calmMove, type Setting } from './world/moves.ts';
import type { World } from './world/world.ts';

/** More steps than any transition takes. */
const longest = 400;

/** What became of a world that was left in peace. */
export interface Settled {
  readonly broken: Broken;
  /** The way from that world to where it broke. */
  readonly trace: readonly string[];
}

/**
 * Leaves worlds in peace: nothing goes wrong any more and nobody wants anything, but what is under way goes on and clocks
 * run out. Then every world comes to rest, and that must be a good place to be. Where many ways join, each is walked once.
 */
export class Calm {
  readonly #setting: Setting;
  /** Worlds that are known to end well. */
  readonly #fine = new Set<string>();
  /** Worlds that do not, and were told of. */
  readonly #told = new Set<string>();

  constructor(setting: Setting) {
    this.#setting = setting;
  }

  /** What is wrong with how it ends, unless that was said before. */
  settles(from: World, key: string): Settled | undefined {
    const trace: string[] = [];
    const way = new Set<string>();
    let [world, at] = [from, key];
    for (;;) {
      if (this.#fine.has(at)) return this.#ends(way, this.#fine);
      if (this.#told.has(at)) return this.#ends(way, this.#told);
      if (way.has(at) || trace.length > longest) {
        return this.#breaks(way, trace, { invariant: 'comes to rest', why: 'it goes in circles' });
      }
      way.add(at);
      const move = calmMove(world, this.#setting);
      const broken = move ? brokenBy(world, move) : brokenAtRest(world);
      if (move) trace.push(move.says);
      if (broken) return this.#breaks(way, trace, broken);
      if (!move) return this.#ends(way, this.#fine);
      world = move.world;
      at = keyOf(world);
    }
  }

  /** How many worlds were met that no exploration has seen. */
  beyond(seen: ReadonlyMap<string, unknown>): number {
    let count = 0;
    for (const keys of [this.#fine, this.#told]) for (const key of keys) if (!seen.has(key)) count += 1;
    return count;
  }

  #breaks(way: ReadonlySet<string>, trace: readonly string[], broken: Broken): Settled {
    this.#ends(way, this.#told);
    return { broken, trace };
  }

  #ends(way: ReadonlySet<string>, among: Set<string>): undefined {
    for (const key of way) among.add(key);
  }
}
