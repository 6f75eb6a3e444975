import type { Command } from 'commander';
import { program } from '../src/cli/program.ts';
import { steerCommand } from '../src/cli/steer/steer-command.ts';
import type { SteerShell } from '../src/cli/steer/steer-shell.ts';
import { type Word, words } from '../src/cli/steer/words.ts';
import { controllerNames, familyNames } from '../src/main/families.ts';
import { group, shared, table } from './command-docs.ts';
import { generated } from './markdown.ts';

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
    ...group('Running', ['start', 'embedded', 'operator'].map(running), []),
    ...group('Installing', ['install generate', 'install create', 'uninstall'].map(running), []),
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
  return name.split(' ').reduce<Command>((from, word) => {
    const found = from.commands.find((one) => one.name() === word);
    if (!found) throw new Error(`there is no command ${name}`);
    return found;
  }, cutover);
}
