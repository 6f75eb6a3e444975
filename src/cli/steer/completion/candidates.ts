import type { Command } from 'commander';
import { words as known } from '../words.ts';

/** Commands that take the name of a workload. */
const unnamed = new Set(['list', 'plan', 'completion', 'why']);

export interface Typed {
  /** What is there already, without the program's name; the last one is being typed. */
  readonly words: readonly string[];
  /** The command that the first word names. */
  readonly command: Command | undefined;
  /** Other commands of the program. */
  readonly others: readonly string[];
}

/** What may come next; `names` are those of workloads, read only when one is asked for. */
export async function candidates(typed: Typed, names: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const { words, command, others } = typed;
  const last = words.at(-1) ?? '';
  const starting = (all: readonly string[]): readonly string[] =>
    [...new Set(all)].filter((one) => one.startsWith(last)).sort();
  if (words.length <= 1) return starting([...Object.keys(known), ...others]);
  if (!command) return [];
  const before = words.at(-2) ?? '';
  const taking = command.options.find(
    (option) => option.required && (option.long === before || option.short === before),
  );
  if (taking) return starting(taking.argChoices ?? []);
  if (last.startsWith('-')) return starting(command.options.flatMap(({ long, short }) => [long ?? '', short ?? '']));
  return unnamed.has(words[0] ?? '') ? [] : starting(await names());
}
