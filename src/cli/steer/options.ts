import { Command, InvalidArgumentError, Option } from 'commander';
import { parseDuration } from '../../portrait/text/duration.ts';
import type { GlobalOptions } from '../../portrait/text/session.ts';
import type { SteerShell } from './steer-shell.ts';
import { type Word, words } from './words.ts';

/** Options that all commands here have. */
export interface SteerOptions extends GlobalOptions {
  /** `--no-color` */
  readonly color: boolean;
  /** `-A`, of commands that have it. */
  readonly allNamespaces?: boolean;
}

/** A command with the options of all. `outputs`: what `-o` takes. */
export function command(shell: SteerShell, word: Word, outputs: readonly string[] = []): Command {
  const made = new Command(`${shell.program} ${word}`)
    .description(words[word])
    .option('--kubeconfig <file>', 'kubeconfig file (default: KUBECONFIG, the in-cluster files, ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig (default: its current one)')
    .option('-n, --namespace <name>', 'namespace (default: that of the context, else default)')
    .option('--no-color', 'no colours, as with NO_COLOR');
  return outputs.length === 0
    ? made
    : made.addOption(new Option('-o, --output <format>', 'print the answer as').choices(outputs));
}

/** A command about one workload. */
export function subjectCommand(shell: SteerShell, word: Word, outputs: readonly string[] = []): Command {
  return command(shell, word, outputs)
    .argument('<name...>', subjectHelp)
    .option('-A, --all-namespaces', 'look for it in all namespaces');
}

export const subjectHelp = 'NAME, KIND/NAME or KIND NAME; what people call it will do';

/** `10m` */
export function time(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw new InvalidArgumentError('It must be a duration such as 90s, 10m or 1h30m.');
  return ms;
}

export function count(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a number, 0 or more.');
  return Number(text);
}
