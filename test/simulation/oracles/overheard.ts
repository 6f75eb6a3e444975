import { createLog, type Log } from '../../../src/control/log.ts';
import type { Fault } from '../plan.ts';
import type { Secrecy } from './secrecy.ts';

/** Error lines that a fault explains. All others are violations, whatever the fault. */
const expected: Readonly<Record<string, readonly Fault[]>> = {
  'the leader lease was lost': ['pause', 'deputy', 'outage', 'long-outage'],
};

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly error?: { readonly message?: string; readonly stack?: string };
}

/** A log as the program writes it, of which every line is read: for secrets, and for errors that no fault explains. */
export function overheard(faults: readonly Fault[], secrecy: Secrecy, violate: (what: string) => void): Log {
  const write = (text: string): void => {
    secrecy.listen('a log line', text);
    if (!text.includes('"level":"error"')) return;
    const { level, msg, error } = JSON.parse(text) as Line;
    if (level !== 'error' || expected[msg]?.some((fault) => faults.includes(fault))) return;
    violate(`an error was logged: ${msg}: ${error?.stack ?? error?.message ?? ''}`);
  };
  return createLog({ level: 'debug', destination: { write } });
}
