import type { Hook } from './admission.ts';
import type { AdmissionRequest } from './admission-review.ts';

/** Hooks that let what is chosen through unchanged and without a word, and judge all else as before. */
export function letThrough(
  hooks: Readonly<Record<string, Hook>>,
  chosen: (request: AdmissionRequest) => boolean,
): Readonly<Record<string, Hook>> {
  return Object.fromEntries(Object.entries(hooks).map(([path, hook]) => [path, around(hook, chosen)]));
}

function around(hook: Hook, chosen: (request: AdmissionRequest) => boolean): Hook {
  if ('validate' in hook) return { validate: (asked) => (chosen(asked) ? { allowed: true } : hook.validate(asked)) };
  return { mutate: (asked) => (chosen(asked) ? { allowed: true, object: asked.object } : hook.mutate(asked)) };
}
