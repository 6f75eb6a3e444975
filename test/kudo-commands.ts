import type { Command } from 'commander';
import { kudoCommand } from '../src/kudo/commands/kudo-command.ts';
import type { Shell } from '../src/portrait/text/shell.ts';
import { group, shared, table } from './command-docs.ts';
import { generated } from './markdown.ts';

/** Enough of a shell for commands to say what they are; nothing of them runs here. */
const described = { program: 'cutover', columns: 120 } as Partial<Shell> as Shell;

/** The page of all commands of `cutover kudo`, with their options as the program tells them. */
export function kudoCommandsPage(): string {
  const kudo = kudoCommand(described).name('cutover kudo');
  const own = kudo.commands.filter((one) => one.commands.length === 0);
  const within = (name: string): readonly Command[] => kudo.commands.find((one) => one.name() === name)?.commands ?? [];
  return [
    '# Commands of KUDO',
    '',
    generated,
    '',
    'The commands of `cutover kudo`, which is also `kubectl kudo`: [what they are for](../README.md#installing). All of them take the options of',
    'the first table, too.',
    '',
    '## Options of all',
    '',
    ...table(shared([kudo])),
    '',
    ...group('Instances', own, []),
    ...group('Plans', within('plan'), []),
    ...group('Packages', within('package'), []),
  ].join('\n');
}
