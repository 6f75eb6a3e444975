import type { Progress } from './progress.ts';

const ATTEMPTS = 3;

/**
 * Tries a download or a build up to three times: networks fail for a moment, and a second try usually works.
 * Not for tests: a test that passes at the second try has found something.
 */
export async function attempt<T>(
  what: string,
  progress: Progress,
  work: () => Promise<T>,
  pause: (milliseconds: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await work();
    } catch (error) {
      if (n === ATTEMPTS) throw error;
      progress.note(`${what}: attempt ${n} of ${ATTEMPTS} failed (${firstLine(error)}), trying again`);
      await pause(n * 2000);
    }
  }
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n')[0] ?? '';
}
