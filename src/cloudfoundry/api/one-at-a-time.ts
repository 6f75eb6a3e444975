const last = new Map<string, Promise<unknown>>();

/**
 * Does work when all that was begun earlier under the same key is done. It holds within this process alone: what other replicas
 * do at the same time must be found out otherwise.
 *
 * Work must not ask for its own key again: it would wait for itself.
 */
export async function oneAtATime<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(key);
  const mine = before ? before.then(work, work) : work();
  last.set(key, mine);
  try {
    return await mine;
  } finally {
    if (last.get(key) === mine) last.delete(key);
  }
}
