import type { Redirection } from './shell-parser.ts';
import type { ShellState } from './shell-state.ts';

/** Runs a command whose output goes into files. A file that cannot be written keeps the command from running. */
export async function redirected(
  redirections: readonly Redirection[],
  state: ShellState,
  command: (state: ShellState) => Promise<number>,
): Promise<number> {
  if (redirections.length === 0) return command(state);
  const targets = new Map<Redirection['stream'], string>();
  const failed = (to: string, why: string): number => {
    state.write('stderr', `sh: can't create ${to}: ${why}\n`);
    return 1;
  };
  for (const { stream, append, to } of redirections) {
    targets.set(stream, to);
    const problem = put(state, to, append ? (state.files.read(to) ?? new Uint8Array()) : new Uint8Array());
    if (problem !== undefined) return failed(to, problem);
  }
  let trouble: number | undefined;
  const code = await command({
    ...state,
    write(stream, output) {
      const to = targets.get(stream);
      if (to === undefined) return state.write(stream, output);
      const before = state.files.read(to) ?? new Uint8Array();
      const problem = put(state, to, Buffer.concat([before, Buffer.from(output)]));
      if (problem !== undefined) trouble ??= failed(to, problem);
    },
  });
  return trouble ?? code;
}

function put({ files }: ShellState, to: string, content: Uint8Array): string | undefined {
  return to === '/dev/null' ? undefined : files.write(to, content);
}
