import type { Command } from 'commander';
import { steerCommand } from '../../src/cli/steer/steer-command.ts';
import type { SteerShell } from '../../src/cli/steer/steer-shell.ts';
import { isWord } from '../../src/cli/steer/words.ts';

/** Commands that a page tells people to type: lines of its shell blocks, and what stands in backticks and begins with a program of ours. */
export function commandLinesIn(markdown: string): readonly string[] {
  const blocks = [...markdown.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) => block.split('\n'));
  const spoken = [...markdown.replace(/^```.*?^```/gms, '').matchAll(/`((?:kubectl )?cutover [^`]+|kubectl [^`]+)`/g)];
  return [...blocks, ...spoken.map(([, line = '']) => line.replaceAll(/\s*\n\s*/g, ' '))]
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** Enough of a shell for commands to say what they are; nothing of them runs here. */
const described = { program: 'cutover', columns: 120, families: [] } as Partial<SteerShell> as SteerShell;

/** Subcommands of kubectl that pages use. */
const kubectl = new Set('annotate apply auth describe events get kustomize label logs rollout top wait'.split(' '));

/** What is wrong with a command line as far as our own command line reads it; `undefined` when nothing is. */
export async function problemOf(line: string): Promise<string | undefined> {
  const [first = '', second = '', ...rest] = firstCommand(line);
  if (first === 'kubectl' && second !== 'cutover') {
    return kubectl.has(second) ? undefined : `kubectl has no ${second} that a page should use`;
  }
  if (first === 'helm') return undefined;
  const [word = '', ...args] = first === 'kubectl' ? rest : [second, ...rest];
  if (first !== 'cutover' && first !== 'kubectl') return `${first} is no program that a page should use`;
  if (!isWord(word)) return `cutover has no command ${word}`;
  return parsed(await steerCommand(described, word), args);
}

function parsed(command: Command, args: readonly string[]): string | undefined {
  command.exitOverride().configureOutput({ writeErr: () => {}, outputError: () => {} });
  try {
    const { operands, unknown } = command.parseOptions([...args]);
    if (unknown.length > 0) return `${command.name()} has no ${unknown.join(' ')}`;
    const needed = command.registeredArguments.filter(({ required }) => required).length;
    return args.length > 0 && operands.length < needed ? `${command.name()} needs ${needed} words` : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The words of the first command of a line; what follows a pipe is of other programs. */
function firstCommand(line: string): readonly string[] {
  const words: string[] = [];
  for (const [word, quoted] of line.matchAll(/'([^']*)'|"[^"]*"|\||[^\s|]+/g)) {
    if (word === '|') break;
    words.push(quoted ?? word);
  }
  return words;
}
