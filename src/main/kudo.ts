import { realShell } from './shell.ts';

/** `cutover kudo …`: everything behind the word `kudo`. `called`: how the person calls it, for the help texts. */
export async function kudo(args: readonly string[], called: string): Promise<void> {
  const { kudoCommand } = await import('../kudo/commands/kudo-command.ts');
  await kudoCommand(realShell('cutover-kudo')).name(called).parseAsync(args, { from: 'user' });
}
