import { brokenBy } from './broken-by.ts';
import { Calm } from './calm.ts';
import { Frontier } from './frontier.ts';
import type { Broken, Invariant } from './invariants.ts';
import { covers, keyOf, packed, spentIn } from './key.ts';
import { moves, type Setting } from './world/moves.ts';
import type { World } from './world/world.ts';

export interface Limits {
  /** Ends as soon as something is found. */
  readonly firstOnly: boolean;
  /** Gives up after so many worlds. */
  readonly most: number;
}

export interface Explored {
  /** Worlds that were looked at, each once for every budget that allows something new. */
  readonly worlds: number;
  /** Worlds that differ, whatever may still go wrong in them; those on the way to rest included. */
  readonly distinct: number;
  /** Nothing is left to look at. */
  readonly exhausted: boolean;
  /** One for each invariant that was broken. */
  readonly found: readonly Violation[];
}

export interface Violation extends Broken {
  /** With the fewest mishaps and edits; of those with the fewest steps to where nothing else needs to go wrong. */
  readonly trace: readonly string[];
}

/** A world that is to be looked at, and where it was come from. */
interface Reached {
  readonly world: World;
  readonly key: string;
  readonly depth: number;
  readonly from: Reached | undefined;
  readonly says: string;
}

/**
 * Looks at every world that can be reached, those with the fewest mishaps first, and judges every step and every end.
 *
 * A world is not looked at again with a budget that another look had as well: whatever can happen in it was possible then.
 */
export function explore(start: World, setting: Setting, { firstOnly, most }: Limits): Explored {
  const frontier = new Frontier<Reached>();
  const seen = new Map<string, readonly number[]>();
  const calm = new Calm(setting);
  const found = new Map<Invariant, Violation>();

  const reach = (world: World, from: Reached | undefined, says: string): void => {
    const key = keyOf(world);
    const budget = packed(world.left);
    const before = seen.get(key) ?? [];
    if (before.some((one) => covers(one, budget))) return;
    seen.set(key, [...before.filter((one) => !covers(budget, one)), budget]);
    const depth = from ? from.depth + 1 : 0;
    frontier.add(spentIn(start.left, world.left), depth, { world, key, depth, from, says });
  };
  const tell = (broken: Broken, from: Reached, more: readonly string[]): void => {
    if (!found.has(broken.invariant)) found.set(broken.invariant, { ...broken, trace: [...traceTo(from), ...more] });
  };

  reach(start, undefined, '');
  let worlds = 0;
  let next = frontier.take();
  for (; next && worlds < most && !(firstOnly && found.size > 0); next = frontier.take()) {
    worlds += 1;
    const settled = calm.settles(next.world, next.key);
    if (settled) tell(settled.broken, next, settled.trace);
    for (const move of moves(next.world, setting)) {
      const broken = brokenBy(next.world, move);
      if (broken) tell(broken, next, [move.says]);
      else reach(move.world, next, move.says);
    }
  }
  const distinct = seen.size + calm.beyond(seen);
  return { worlds, distinct, exhausted: next === undefined, found: [...found.values()] };
}

function traceTo(reached: Reached): string[] {
  const trace: string[] = [];
  for (let at: Reached | undefined = reached; at?.from; at = at.from) trace.unshift(at.says);
  return trace;
}
