import type { Log } from '../../src/control/log.ts';

/** A log that keeps in `bugs` the errors that count as bugs, and says nothing. */
export function bugLog(bugs: string[], counts: (message: string) => boolean): Log {
  const log: Log = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: ({ error }, message) => {
      if (counts(message)) bugs.push(`${message}: ${error instanceof Error ? error.stack : String(error)}`);
    },
    child: () => log,
  };
  return log;
}
