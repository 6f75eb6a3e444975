import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../clock/clock.ts';
import type { Identity, IdentitySource } from '../identity.ts';

/** A file that does not help is not read again sooner: a server may refuse many requests in a moment. */
const pauseMs = 5_000;

/**
 * An identity out of files that somebody may write anew: a kubeconfig, or certificates that it names. They are read again when the
 * server refuses what was in them. What cannot be read then, or is the same, changes nothing.
 */
export function rereadIdentity(
  first: IdentitySource,
  again: () => Promise<IdentitySource>,
  clock: Clock,
): IdentitySource {
  let source = first;
  let known: Identity | undefined;
  let reading: Promise<void> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;

  const read = async (): Promise<void> => {
    try {
      const other = await again();
      // What is the same stays the same object: connections are kept by it.
      if (!isDeepStrictEqual(await other.current(), known)) source = other;
    } catch {
      // The file may be half written; what was known is refused once more, and then it is read again.
    }
  };

  return {
    async current() {
      await reading;
      known = await source.current();
      return known;
    },
    rejected(identity) {
      if (source.rejected(identity)) return true;
      // Somebody else has had it read meanwhile.
      if (identity !== known || reading) return true;
      if (clock.monotonic() - readAt < pauseMs) return false;
      readAt = clock.monotonic();
      reading = read().finally(() => {
        reading = undefined;
      });
      return true;
    },
  };
}
