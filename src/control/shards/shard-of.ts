/**
 * The shard that a place belongs to: a number from 0 to `shards - 1`. It depends on nothing but the text, for replicas that
 * disagree about it would act on one key at once: never change it, not even for the better.
 *
 * FNV-1a over UTF-8, with the finalizer of MurmurHash3, for names that differ in their last letter only.
 */
export function shardOf(place: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(place)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  hash ^= hash >>> 16;
  return (hash >>> 0) % shards;
}
