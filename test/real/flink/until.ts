const LOOK_EVERY_MS = 250;
/** Generous: machines are shared, and a JobManager that starts beside others takes its time. */
const LIMIT_MS = 240_000;

/**
 * Looks until what is seen is as it should be, and returns it.
 *
 * Errors: in vain, it says what was seen last; at once, when `hopeless` gives a reason.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  met: (seen: T) => boolean,
  hopeless: () => string | undefined = () => undefined,
): Promise<T> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    let last: unknown;
    try {
      const seen = await look();
      if (met(seen)) return seen;
      last = seen;
    } catch (error) {
      last = error;
    }
    const reason = hopeless();
    if (reason !== undefined) throw new Error(`waiting until ${what}: ${reason}\nLast seen: ${inWords(last)}`);
    if (performance.now() > deadline)
      throw new Error(`waited ${LIMIT_MS / 1000} s in vain until ${what}\nLast seen: ${inWords(last)}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** Without what Kubernetes notes for itself, and the spec, which the test wrote. */
const OMITTED: readonly string[] = ['managedFields', 'annotations', 'spec'];

function inWords(seen: unknown): string {
  if (seen instanceof Error) return String(seen);
  const omit = (key: string, value: unknown): unknown => (OMITTED.includes(key) ? undefined : value);
  return (JSON.stringify(seen, omit, 2) ?? 'nothing').slice(0, 6000);
}
