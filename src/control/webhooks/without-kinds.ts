import type { Hook } from './admission.ts';
import type { AdmissionRequest } from './admission-review.ts';

/**
 * Hooks that let through whatever is asked about some kinds, unchanged and without a word: they are left to another operator, which has
 * rules of its own.
 *
 * @param off kinds in lower case
 */
export function withoutKinds(
  hooks: Readonly<Record<string, Hook>>,
  off: readonly string[],
): Readonly<Record<string, Hook>> {
  if (off.length === 0) return hooks;
  const isOff = ({ kind }: AdmissionRequest): boolean => off.includes(kind.kind.toLowerCase());
  return Object.fromEntries(Object.entries(hooks).map(([path, hook]) => [path, around(hook, isOff)]));
}

function around(hook: Hook, isOff: (request: AdmissionRequest) => boolean): Hook {
  if ('validate' in hook) return { validate: (asked) => (isOff(asked) ? { allowed: true } : hook.validate(asked)) };
  return { mutate: (asked) => (isOff(asked) ? { allowed: true, object: asked.object } : hook.mutate(asked)) };
}
