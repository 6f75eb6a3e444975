import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits until kinds are served. `kubectl wait` gives up on a definition that has no conditions yet, as one has in the moment after it
 * was made: then it is asked again, until it has waited for them in vain itself.
 */
export async function untilEstablished(
  kubectl: (args: readonly string[]) => Promise<unknown>,
  definitions: readonly string[],
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await kubectl(['wait', '--for=condition=Established', ...definitions, '--timeout=60s']);
      return;
    } catch (error) {
      if (attempt === 100 || !/<nil>/.test(String(error))) throw error;
      await delay(200);
    }
  }
}
