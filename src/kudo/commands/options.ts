import { type Command, InvalidArgumentError, Option } from 'commander';
import { defaultWaitSeconds } from './wait-for.ts';

/** Options of commands that can wait. */
export interface WaitOptions {
  readonly wait: boolean;
  readonly waitTime: number;
}

export function withWait(command: Command, what: string): Command {
  return command
    .option('--wait', `wait until ${what}; exit code 1 when it fails, 2 when time is up`, false)
    .addOption(waitTime());
}

export function waitTime(): Option {
  return new Option('--wait-time <seconds>', 'how long to wait').default(defaultWaitSeconds).argParser(seconds);
}

/** The option of commands that speak of one Instance. */
export function withInstance(command: Command): Command {
  return command.requiredOption('--instance <name>', 'name of the Instance');
}

export interface InstanceOption {
  readonly instance: string;
}

function seconds(text: string): number {
  const value = Number(text);
  if (!/^\d{1,7}$/.test(text) || value < 1)
    throw new InvalidArgumentError('It must be a number of seconds, 1 or more.');
  return value;
}

/** Collects an option that may be repeated. */
export function repeated(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
