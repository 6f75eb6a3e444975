import type { Command } from 'commander';
import { speakThrough } from '../../portrait/text/speak-through.ts';
import type { SteerShell } from './steer-shell.ts';
import type { Word } from './words.ts';

/** The command of a word, with nothing loaded that only others need. */
export async function steerCommand(shell: SteerShell, word: Word): Promise<Command> {
  const command = await made(shell, word);
  speakThrough(command, shell);
  return command;
}

async function made(shell: SteerShell, word: Word): Promise<Command> {
  switch (word) {
    case 'list':
      return (await import('./commands/list.ts')).listCommand(shell);
    case 'get':
      return (await import('./commands/get.ts')).getCommand(shell);
    case 'status':
      return (await import('./commands/status.ts')).statusCommand(shell);
    case 'history':
      return (await import('./commands/history.ts')).historyCommand(shell);
    case 'why':
      return (await import('./commands/why.ts')).whyCommand(shell);
    case 'graph':
      return (await import('./commands/graph.ts')).graphCommand(shell);
    case 'plan':
      return (await import('./commands/plan.ts')).planCommand(shell);
    case 'logs':
      return (await import('./commands/logs.ts')).logsCommand(shell);
    case 'report':
      return (await import('./commands/report.ts')).reportCommand(shell);
    case 'completion':
      return (await import('./commands/completion.ts')).completionCommand(shell, (other) => made(shell, other));
    default:
      return (await import('./commands/verb.ts')).verbCommand(shell, word);
  }
}
