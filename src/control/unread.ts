import { isKubeError } from '../kube/error.ts';
import { qualifiedName } from '../kube/resource-type.ts';
import type { Cached } from './caches.ts';

type Looking = Pick<Cached, 'type' | 'isBlindIn' | 'troubleIn'>;

/** Whether something of the namespace has never been seen: what is not shown may be there. */
export function isBlindIn(namespace: string, looksAt: readonly Looking[]): boolean {
  return looksAt.some((cached) => cached.isBlindIn(namespace));
}

/** The kinds of which that is so because we may not look. */
export function unreadableIn(namespace: string, looksAt: readonly Looking[]): readonly string[] {
  const barred = looksAt.filter(
    (cached) => cached.isBlindIn(namespace) && isKubeError(cached.troubleIn(namespace), 'forbidden'),
  );
  return [...new Set(barred.map(({ type }) => qualifiedName(type)))].sort();
}
