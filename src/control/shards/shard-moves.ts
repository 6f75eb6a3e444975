/** What a replica knows of one shard. */
export interface ShardSeen {
  /** Who holds it and may be alive; absent when nobody does. */
  readonly holder?: string;
  /** Who holds it does not see everything, and says so. */
  readonly isBlind?: boolean;
  /** How long nobody has held it. */
  readonly freeMs?: number;
  /** Who asks its holder for it. */
  readonly askedBy?: string;
}

/** What a replica does next about shards, by their number. */
export interface ShardMoves {
  readonly take: readonly number[];
  /** Whose holders are asked for them. */
  readonly ask: readonly number[];
  readonly give: readonly number[];
  /** When something is to be taken that is still left to others: infinite when there is nothing. */
  readonly againMs: number;
}

/** Those who have less are left this long to take a free one: more than the time between two looks. */
export const patienceMs = 900;

/**
 * Says how `me` comes to its fair share, and others to theirs. Nobody knows who else there is; so nobody counts on a share,
 * but each compares itself with those who hold something:
 *
 * - Who holds none takes a free one at once; who holds fewest, after a while; anybody, after twice as long.
 * - Who holds at least two fewer than another asks that one for a shard, one at a time.
 * - Who is asked gives, if it holds at least two more than who asks.
 *
 * When nobody has anything to do, no two holders differ by more than one, and nobody goes without while another has two.
 *
 * Who does not see everything could not do all of the work. It lets others go first, for `sightMs` (0: it sees everything), asks for
 * nothing, and gives all that it is asked for; those who see everything ask it for all that it has.
 */
export function shardMoves(me: string, shards: readonly ShardSeen[], sightMs = 0): ShardMoves {
  const counts = new Map<string, number>([[me, 0]]);
  for (const { holder } of shards) if (holder !== undefined) counts.set(holder, (counts.get(holder) ?? 0) + 1);
  const mine = counts.get(me) ?? 0;
  const { take, againMs } = taken(me, shards, counts, sightMs);
  const ask = sightMs > 0 ? [] : asked(me, shards, counts, take.length > 0);
  const give: number[] = [];
  const given = new Map<string, number>();
  shards.forEach(({ holder, askedBy }, shard) => {
    if (holder !== me || askedBy === undefined || askedBy === me) return;
    const theirs = (counts.get(askedBy) ?? 0) + (given.get(askedBy) ?? 0);
    if (sightMs === 0 && mine - give.length < theirs + 2) return;
    give.push(shard);
    given.set(askedBy, (given.get(askedBy) ?? 0) + 1);
  });
  return { take, give, ask, againMs };
}

function taken(
  me: string,
  shards: readonly ShardSeen[],
  counts: ReadonlyMap<string, number>,
  sightMs: number,
): Pick<ShardMoves, 'take' | 'againMs'> {
  const others = [...counts].filter(([holder]) => holder !== me).map(([, count]) => count);
  const take: number[] = [];
  let againMs = Number.POSITIVE_INFINITY;
  const start = startOf(me, shards.length);
  for (let step = 0; step < shards.length; step++) {
    const shard = (start + step) % shards.length;
    const { holder, freeMs = 0, askedBy } = shards[shard] ?? {};
    if (holder !== undefined) continue;
    const count = (counts.get(me) ?? 0) + take.length;
    const fair = count === 0 ? 0 : others.every((other) => count <= other) ? patienceMs : 2 * patienceMs;
    const wait = Math.max(fair, sightMs);
    if (freeMs >= wait || askedBy === me) take.push(shard);
    else againMs = Math.min(againMs, wait - freeMs);
  }
  return { take, againMs };
}

function asked(
  me: string,
  shards: readonly ShardSeen[],
  counts: ReadonlyMap<string, number>,
  takes: boolean,
): readonly number[] {
  const lame = shards.flatMap(({ holder, isBlind = false, askedBy }, shard) =>
    isBlind && holder !== me && askedBy === undefined ? [shard] : [],
  );
  const mine = counts.get(me) ?? 0;
  // One at a time: what was asked for and will be given counts as under way. What was asked of one who did not see everything then,
  // and has no more than its share now, is kept.
  const isUnderWay = shards.some(({ holder, isBlind = false, askedBy }) => {
    if (askedBy !== me || holder === me) return false;
    return holder === undefined || isBlind || (counts.get(holder) ?? 0) >= mine + 2;
  });
  if (lame.length > 0 || takes || isUnderWay) return lame;
  const [richest, most] = [...counts].reduce((best, one) => (one[1] > best[1] ? one : best));
  if (most < mine + 2) return [];
  const shard = shards.findIndex(({ holder, askedBy }) => holder === richest && askedBy === undefined);
  return shard < 0 ? [] : [shard];
}

/** Replicas that start at once begin at different shards, so that they seldom want the same one. */
function startOf(me: string, shards: number): number {
  let sum = 0;
  for (let at = 0; at < me.length; at++) sum = (sum * 31 + me.charCodeAt(at)) >>> 0;
  return shards === 0 ? 0 : sum % shards;
}
