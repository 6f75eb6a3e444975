import { text } from 'node:stream/consumers';
import type { SteerShell } from '../cli/steer/steer-shell.ts';
import type { Word } from '../cli/steer/words.ts';
import { stopSignal } from '../cli/stop-signal.ts';
import { ask } from './ask.ts';
import { familySources } from './family-sources.ts';
import { realShell } from './shell.ts';

/** `cutover list`, `get`, `plan` and all others that see and steer workloads. `program`: how the person calls it. */
export async function steer(word: Word, args: readonly string[], program: string): Promise<void> {
  const { steerCommand } = await import('../cli/steer/steer-command.ts');
  const { stdin, stdout, env } = process;
  const shell = realShell('cutover');
  let signal: AbortSignal | undefined;
  // Spreading would freeze what the terminal is now.
  const steering: SteerShell = Object.defineProperties(
    {
      program,
      families: familySources,
      colors: !env.NO_COLOR && env.TERM !== 'dumb',
      canAsk: stdin.isTTY === true && stdout.isTTY === true,
      ask,
      input: () => text(stdin),
      stopping: () => {
        signal ??= stopSignal();
        return signal;
      },
      onResize: (listener: () => void) => {
        stdout.on('resize', listener);
        return () => void stdout.off('resize', listener);
      },
      get rows() {
        return stdout.rows ?? 24;
      },
    },
    Object.getOwnPropertyDescriptors(shell),
  ) as SteerShell;
  // Whoever reads the output may have seen enough: `cutover list | head -1`. What the exit code says stays true.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
  await (await steerCommand(steering, word)).parseAsync(args, { from: 'user' });
}
