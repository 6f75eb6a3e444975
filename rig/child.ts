import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { endingWithUs } from './command.ts';
import { identify, isAlive, type ProcessIdentity, sendSignal } from './process.ts';

/** One process of a cluster. The kernel kills it when the process that started it dies. */
export interface Child {
  readonly name: string;
  readonly identity: ProcessIdentity;
  /** Resolves when it has ended, with the reason. */
  readonly ended: Promise<string>;
  /** The last lines it logged. */
  logTail(): string;
  /** Asks it to end, insists after `graceMs` (0: at once), and waits until it is gone. */
  stop(graceMs: number): Promise<void>;
}

export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly log: string;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

export function startChild(name: string, options: ChildOptions): Child {
  const log = openSync(options.log, 'a');
  const [program, args] = endingWithUs(options.command, options.args);
  const process_ = spawn(program, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const identity = identify(process_.pid ?? 0);
  if (identity === undefined) throw new Error(`${name} could not be started: ${options.command}`);
  const ended = endOf(process_);
  return {
    name,
    identity,
    ended,
    logTail: () => readFileSync(options.log, 'utf8').trimEnd().split('\n').slice(-12).join('\n'),
    async stop(graceMs) {
      if (!isAlive(identity)) return;
      sendSignal(identity, graceMs > 0 ? 'SIGTERM' : 'SIGKILL');
      const insist = setTimeout(() => sendSignal(identity, 'SIGKILL'), graceMs);
      await ended;
      clearTimeout(insist);
    },
  };
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
}
