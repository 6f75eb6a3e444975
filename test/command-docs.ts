import type { Command } from 'commander';
import { cell, code } from './markdown.ts';

/** What several commands have in common is told once. */
export function group(title: string, commands: readonly Command[], told: readonly string[]): string[] {
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
    `### ${titleOf(command, command.name().split(' ').at(-1) ?? '')}`,
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

/** As it is typed behind the words that all of the page have in common: `install generate`, `plan status`. */
function titleOf({ parent }: Command, name: string): string {
  return parent?.parent ? `${parent.name()} ${name}` : name;
}

/** The rows that each of these commands has. */
export function shared(commands: readonly Command[]): readonly string[] {
  const [first = [], ...others] = commands.map(rows);
  return first.filter((row) => others.every((other) => other.includes(row)));
}

/** An option in each. That nothing is set unless it is set goes without saying, and so does `--help`. */
function rows(command: Command): readonly string[] {
  const help = command.createHelp();
  return help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
    .map((one) => {
      const text = help.optionDescription(one).replace(/ \(default: (false|\[\])\)/, '');
      return `| ${code(help.optionTerm(one))} | ${cell(text)} |`;
    });
}

export function table(lines: readonly string[]): readonly string[] {
  return ['| option | |', '| --- | --- |', ...lines];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
