import { goJson } from '../schema/go-text.ts';

/** Letters and digits that cannot spell a word; Kubernetes writes hashes in them. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** A short name for a pod template: equal templates have equal hashes. `collisions` makes another one of it. */
export function templateHash(template: unknown, collisions = 0): string {
  let hash = 0x811c9dc5;
  const text = goJson(template) + (collisions > 0 ? `#${collisions}` : '');
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return [...String(hash)].map((digit) => alphabet[digit.charCodeAt(0) % alphabet.length]).join('');
}
