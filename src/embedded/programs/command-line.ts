import { commands } from './shell-commands.ts';

/** Whether a program is a shell, of whatever make. */
export const isShell = (path: string): boolean => /^(\/(usr\/)?bin\/)?(ba|a|da)?sh$/.test(path);

/** Whether a program is one of those that the small shell brings along. */
export const isCommand = (path: string): boolean => commands.has(path.replace(/^\/(usr\/)?s?bin\//, ''));

/** A command line that means just these words. */
export const commandLine = (words: readonly string[]): string =>
  words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
