import type { Command } from 'commander';
import { program } from '../src/cli/program.ts';
import { steerCommand } from '../src/cli/steer/steer-command.ts';
import type { SteerShell } from '../src/cli/steer/steer-shell.ts';
import { type Word, words } from '../src/cli/steer/words.ts';
import { controllerNames, familyNames } from '../src/main/families.ts';
import { cell, code, generated } from './markdown.ts';

/** Commands under the heading that a person would look for them at. */
const groups: Readonly<Record<string, readonly Word[]>> = {
  Looking: ['list', 'get', 'status', 'history', 'why', 'graph', 'logs'],
  Planning: ['plan'],
  Doing: ['promote', 'abort', 'rollback', 'restart', 'retry', 'suspend', 'pause', 'resume'],
  Besides: ['report', 'completion'],
};
/** The page of all commands that see and steer, and of those that run what is seen, with their options as the program tells them. */
export async function steerCommandsPage(): Promise<string> {
  const all = Object.keys(words) as Word[];
  const homeless = all.filter((word) => !Object.values(groups).flat().includes(word));
  if (homeless.length > 0) throw new Error(`under which heading do people look for ${homeless.join(', ')}?`);
  const steering = await Promise.all(
    Object.entries(groups).map(async ([title, members]) => {
      return [title, await Promise.all(members.map((word) => steerCommand(described, word)))] as const;
    }),
  );
  const everywhere = shared(steering.flatMap(([, commands]) => commands).filter((one) => one.options.length > 0));
  return [
    '# Commands',
    '',
    generated,
    '',
    'The commands that [see and steer](../README.md) workloads of every family, and those that run them. The program tells the same with',
    '`--help`.',
    '',
    '## Options of all that see and steer',
    '',
    ...table(everywhere),
    '',
    ...steering.flatMap(([title, commands]) => group(title, commands, everywhere)),
    ...group('Running', ['start', 'operator'].map(running), []),
  ].join('\n');
}

/** Enough of a shell for commands to say what they are; nothing of them runs here. */
const described = { program: 'cutover', columns: 120, families: [] } as Partial<SteerShell> as SteerShell;

function running(name: string): Command {
  const nothing = async (): Promise<void> => undefined;
  const cutover = program({
    start: nothing,
    embedded: nothing,
    operator: nothing,
    kudo: nothing,
    steer: nothing,
    install: { generate: nothing, create: nothing },
    uninstall: nothing,
    version: () => '',
    controllers: controllerNames,
    families: familyNames,
  });
  const found = cutover.commands.find((one) => one.name() === name);
  if (!found) throw new Error(`there is no command ${name}`);
  return found;
}

/** What several commands have in common is told once. */
function group(title: string, commands: readonly Command[], told: readonly string[]): string[] {
  const common = commands.length > 1 ? shared(commands).filter((row) => !told.includes(row)) : [];
  return [
    `## ${title}`,
    '',
    ...(common.length > 0 ? ['All of these have the options', '', ...table(common), ''] : []),
    ...commands.flatMap((command) => section(command, [...told, ...common])),
  ];
}

function section(command: Command, told: readonly string[]): string[] {
  const help = command.createHelp();
  const args = help.visibleArguments(command).map((one) => {
    return `- ${code(help.argumentTerm(one))}: ${help.argumentDescription(one)}`;
  });
  const own = rows(command).filter((row) => !told.includes(row));
  return [
    `### ${command.name().split(' ').at(-1)}`,
    '',
    sentence(command.description()),
    '',
    '```',
    help.commandUsage(command),
    '```',
    '',
    ...(args.length > 0 ? [...args, ''] : []),
    ...(own.length > 0 ? [...table(own), ''] : []),
  ];
}

/** The rows that each of these commands has. */
function shared(commands: readonly Command[]): readonly string[] {
  const [first = [], ...others] = commands.map(rows);
  return first.filter((row) => others.every((other) => other.includes(row)));
}

/** An option in each. That a flag is not set unless it is set goes without saying, and so does `--help`. */
function rows(command: Command): readonly string[] {
  const help = command.createHelp();
  return help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
    .map((one) => {
      const text = help.optionDescription(one).replace(' (default: false)', '');
      return `| ${code(help.optionTerm(one))} | ${cell(text)} |`;
    });
}

function table(lines: readonly string[]): readonly string[] {
  return ['| option | |', '| --- | --- |', ...lines];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
