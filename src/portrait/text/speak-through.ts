import type { Command } from 'commander';
import type { Shell } from './shell.ts';

/** Commander writes where the shell says, mistakes on one line. */
export function speakThrough(command: Command, shell: Pick<Shell, 'write' | 'writeError' | 'columns'>): void {
  command.configureOutput({
    writeOut: (text) => shell.write(text),
    writeErr: (text) => shell.writeError(text),
    getOutHelpWidth: () => shell.columns,
    outputError: (text, write) => write(`${text.trim().replaceAll(/\s*\n\s*/g, ' ')}\n`),
  });
  for (const one of command.commands) speakThrough(one, shell);
}
