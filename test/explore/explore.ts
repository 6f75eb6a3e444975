import { type Broken, brokenAtRest, brokenBy } from './invariants.ts';
import { covers, keyOf, packed, spentIn } from './key.ts';
import { calmMove, type Move, moves, type Setting } from './world/moves.ts';
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
  /** Worlds that differ, whatever may still go wrong in them. */
  readonly distinct: number;
  /** Nothing is left to look at. */
  readonly exhausted: boolean;
  readonly found: readonly Violation[];
}

export interface Violation extends Broken {
  /** With the fewest mishaps and edits, and of those with the fewest steps. */
  readonly trace: readonly string[];
}

/**
 * Looks at every world that can be reached, those with the fewest mishaps first, and judges every step and every end.
 *
 * A world is not looked at again with a budget that another look had as well: whatever can happen in it was possible then.
 */
export function explore(start: World, setting: Setting, { firstOnly, most }: Limits): Explored {
  const frontier = new Frontier();
  const seen = new Map<string, number[]>();
  const calm = new Calm(setting);
  const found = new Map<string, Violation>();
  const came: { readonly from: number; readonly says: string }[] = [];
  const enter = (world: World, from: number, says: string, depth: number): void => {
    const key = keyOf(world);
    const budget = packed(world.left);
    const before = seen.get(key);
    if (before?.some((one) => covers(one, budget))) return;
    seen.set(key, before ? [...before.filter((one) => !covers(budget, one)), budget] : [budget]);
    came.push({ from, says });
    frontier.add(spentIn(start.left, world.left), depth, { world, key, index: came.length - 1 });
  };
  const traceTo = (index: number): string[] => {
    const trace: string[] = [];
    for (let at = index; at > 0; at = came[at]?.from ?? 0) trace.unshift(came[at]?.says ?? '');
    return trace;
  };
  const report = (broken: Broken, trace: readonly string[]): void => {
    const { invariant } = broken;
    if (!found.has(invariant)) found.set(invariant, { ...broken, trace });
  };

  enter(start, -1, '', 0);
  let worlds = 0;
  for (let next = frontier.take(); next; next = frontier.take()) {
    const { world, index, key, depth } = next;
    if (worlds >= most) return { worlds, distinct: seen.size, exhausted: false, found: [...found.values()] };
    worlds += 1;
    const settled = calm.settles(world, key);
    if (settled) report(settled.broken, [...traceTo(index), ...settled.trace]);
    for (const move of moves(world, setting)) {
      const broken = brokenBy(world, move);
      if (broken) report(broken, [...traceTo(index), move.says]);
      else enter(move.world, index, move.says, depth + 1);
    }
    if (firstOnly && found.size > 0) break;
  }
  return { worlds, distinct: seen.size, exhausted: !firstOnly || found.size === 0, found: [...found.values()] };
}

interface Entry {
  readonly world: World;
  readonly key: string;
  readonly index: number;
}

/** What is still to be looked at: by mishaps, then by steps, then in the order in which it came. */
class Frontier {
  readonly #entries: Entry[][][] = [];
  #spent = 0;
  #depth = 0;

  add(spent: number, depth: number, entry: Entry): void {
    this.#entries[spent] ??= [];
    const byDepth = this.#entries[spent];
    byDepth[depth] ??= [];
    byDepth[depth].push(entry);
  }

  take(): (Entry & { readonly depth: number }) | undefined {
    for (; this.#spent < this.#entries.length; this.#spent += 1, this.#depth = 0) {
      const byDepth = this.#entries[this.#spent] ?? [];
      for (; this.#depth < byDepth.length; this.#depth += 1) {
        const entry = byDepth[this.#depth]?.pop();
        if (entry) return { ...entry, depth: this.#depth };
      }
    }
    return undefined;
  }
}

/** More steps than any transition takes. */
const longest = 400;

/** What becomes of worlds in which nothing goes wrong any more: they come to rest, and that is a good place to be. */
class Calm {
  readonly #setting: Setting;
  /** Worlds that are known to end well. */
  readonly #fine = new Set<string>();
  /** Worlds that do not, and were told of. */
  readonly #told = new Set<string>();

  constructor(setting: Setting) {
    this.#setting = setting;
  }

  /** What is wrong with where it comes to rest, or that it does not, unless that was said before; and the way there. */
  settles(from: World, key: string): { readonly broken: Broken; readonly trace: string[] } | undefined {
    const trace: string[] = [];
    const way = new Set<string>();
    let [world, at] = [from, key];
    for (;;) {
      if (this.#fine.has(at)) return this.#all(way, this.#fine);
      if (this.#told.has(at)) return this.#all(way, this.#told);
      if (way.has(at) || trace.length > longest) {
        this.#all(way, this.#told);
        return { broken: { invariant: 'comes to rest', why: 'it goes in circles' }, trace };
      }
      way.add(at);
      const move: Move | undefined = calmMove(world, this.#setting);
      if (!move) break;
      const broken = brokenBy(world, move);
      if (broken) {
        this.#all(way, this.#told);
        return { broken, trace: [...trace, move.says] };
      }
      trace.push(move.says);
      world = move.world;
      at = keyOf(world);
    }
    const broken = brokenAtRest(world, this.#setting);
    this.#all(way, broken ? this.#told : this.#fine);
    return broken && { broken, trace };
  }

  #all(way: ReadonlySet<string>, to: Set<string>): undefined {
    for (const key of way) to.add(key);
  }
}
