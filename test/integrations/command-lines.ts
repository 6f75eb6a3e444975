import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, CommanderError } from 'commander';
import { program } from '../../src/cli/program.ts';
import { steerCommand } from '../../src/cli/steer/steer-command.ts';
import type { SteerShell } from '../../src/cli/steer/steer-shell.ts';
import { kudoCommand } from '../../src/kudo/commands/kudo-command.ts';
import { controllerNames, familyNames } from '../../src/main/families.ts';
import { root, text } from '../docs/pages.ts';
import { readPage } from '../docs/read-page.ts';

/** Commands that a page tells people to type: lines of its shell blocks, and what stands in backticks and begins with a program of ours. */
export function commandLinesIn(markdown: string): readonly string[] {
  const { blocks, spoken } = readPage(markdown);
  const lines = blocks.flatMap(({ language, text }) => linesOf(language, text.replaceAll(/\\\n\s*/g, '')));
  return [...lines, ...spoken.filter((words) => /^(kubectl |cutover |npm run )\S/.test(words))]
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** What is typed in a block; in a console it stands behind a prompt. */
function linesOf(language: string, block: string): readonly string[] {
  if (language === 'sh' || language === 'bash') return block.split('\n');
  return [...(language === 'console' ? block.matchAll(/^\$ (.+)$/gm) : [])].map(([, line = '']) => line);
}

/** Enough of a shell for commands to say what they are; nothing of them runs here. */
const described = { program: 'cutover', columns: 120, families: [] } as Partial<SteerShell> as SteerShell;

/** Subcommands of kubectl that pages use. */
const kubectl = new Set(
  'annotate apply auth create delete describe diff events exec get kustomize label logs patch port-forward rollout scale top wait'.split(
    ' ',
  ),
);

/** What is wrong with a command line as far as it can be read here; `undefined` when nothing is. Programs of others are not read. */
export async function problemOf(line: string): Promise<string | undefined> {
  for (const words of commandsOf(line)) {
    const problem = await problemOfCommand(words);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The same, of pages that are to use few programs: nobody has all of them at three in the morning. */
export async function strictProblemOf(line: string): Promise<string | undefined> {
  const [first = ''] = commandsOf(line)[0] ?? [];
  const known = ['kubectl', 'cutover', 'helm', 'cf', 'npm'];
  return known.includes(first) ? problemOf(line) : `${first} is no program that a page should use`;
}

async function problemOfCommand([first = '', second = '', ...rest]: readonly string[]): Promise<string | undefined> {
  if (first === 'cutover') return ours([second, ...rest]);
  if (first === 'kubectl') {
    if (second === 'cutover') return ours(rest);
    if (second === 'kudo') return ours(['kudo', ...rest]);
    return kubectl.has(second) || second === '' ? undefined : `kubectl has no ${second} that a page should use`;
  }
  if (first === 'npm') return npm([second, ...rest]);
  if (first === 'node' && second !== 'dist/cutover.js') {
    return existsSync(join(root, second)) ? undefined : `there is no ${second}`;
  }
  return first === 'node' ? ours(rest) : undefined;
}

async function npm([word = '', ...rest]: readonly string[]): Promise<string | undefined> {
  const { scripts } = JSON.parse(text('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
  const name = word === 'run' ? (rest.find((one) => !one.startsWith('-')) ?? '') : word;
  if (!['run', 'start', 'test'].includes(word)) return undefined;
  if (!Object.hasOwn(scripts, name)) return `package.json has no script ${name}`;
  const args = rest.includes('--') ? rest.slice(rest.indexOf('--') + 1) : [];
  if (name === 'start') return ours(['start', ...args]);
  return name === 'cutover' && args.length > 0 ? ours(args) : undefined;
}

/** Asks the program itself, whose commands do nothing here. What only a page can say, `…`, stands for anything. */
async function ours(args: readonly string[]): Promise<string | undefined> {
  if (args.every((word) => word === '' || word === '…')) return undefined;
  const known = args.filter((word) => word !== '…');
  let problem: string | undefined;
  const nothing = async (): Promise<void> => undefined;
  const cutover = program({
    start: nothing,
    embedded: nothing,
    operator: nothing,
    kudo: async (words) => {
      problem = parsed(kudoCommand(described), words);
    },
    steer: async (word, words) => {
      problem = parsed(await steerCommand(described, word), words);
    },
    install: { generate: nothing, create: nothing },
    uninstall: nothing,
    version: () => '',
    controllers: controllerNames,
    families: familyNames,
  });
  for (const command of [cutover, ...cutover.commands, ...cutover.commands.flatMap((one) => one.commands)])
    mute(command);
  try {
    if (known[0] !== 'version') await cutover.parseAsync(known, { from: 'user' });
  } catch (error) {
    // A word in capitals stands for a value of the reader's own.
    const isFine = error instanceof CommanderError && error.exitCode === 0;
    if (!isFine && !/ argument '[A-Z]+' is invalid/.test(messageOf(error))) return messageOf(error);
  }
  return problem;
}

/** What is wrong with the words of a command that would do something, were it carried out. */
function parsed(command: Command, args: readonly string[], before: readonly string[] = []): string | undefined {
  mute(command);
  try {
    const { operands, unknown } = command.parseOptions([...args]);
    const words = [...before, ...operands];
    const [first = '', ...others] = words;
    const next = command.commands.find((one) => one.name() === first);
    if (next) return parsed(next, unknown, others);
    if (command.commands.length > 0) {
      return first === '' ? undefined : `${command.name()} has no command ${first}`;
    }
    if (unknown.length > 0 && !unknown.includes('--help')) return `${command.name()} has no ${unknown.join(' ')}`;
    // Without any word it is only spoken of.
    if (args.length === 0 && before.length === 0) return undefined;
    const missing = command.options.find(
      (one) => one.mandatory && command.getOptionValue(one.attributeName()) === undefined,
    );
    if (missing) return `${command.name()} needs ${missing.flags}`;
    const needed = command.registeredArguments.filter(({ required }) => required).length;
    return words.length < needed ? `${command.name()} needs ${needed} words` : undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function mute(command: Command): void {
  command.exitOverride().configureOutput({ writeOut: () => {}, writeErr: () => {}, outputError: () => {} });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The commands of a line, each as its words, without variables that are set for it, redirections and remarks. */
function commandsOf(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  for (const [word, quoted] of line.matchAll(
    /'([^']*)'|"[^"]*"|&&|\|\||[|;]|(?:[^\s|;&'"]|'[^']*'|"[^"]*"|&(?!&))+/g,
  )) {
    const last = commands.at(-1) ?? [];
    if (word.startsWith('#')) break;
    if (['&&', '||', '|', ';'].includes(word)) commands.push([]);
    else if (last.length > 0 || !/^\w+=/.test(word)) last.push(quoted ?? word.replaceAll(/['"]/g, ''));
  }
  return commands.map((words) => (words.includes('>') ? words.slice(0, words.indexOf('>')) : words));
}
