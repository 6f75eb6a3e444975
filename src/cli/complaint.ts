/** Ends a command that failed: one line on standard error, and an exit code. */
export function fail(error: unknown): void {
  complain(lineOf(error));
}

/** A failure that a person can act on is one line; anything else is a bug, and its stack helps to mend it. */
function lineOf(error: unknown): string {
  const known =
    error instanceof Error &&
    (error.name !== 'Error' ? !/^(Type|Range|Reference|Syntax)Error$/.test(error.name) : 'code' in error);
  if (!known) return `this is a bug, please report it: ${(error as Error)?.stack ?? error}`;
  const { code, port, message } = error as NodeJS.ErrnoException & { readonly port?: number };
  if (code !== 'EADDRINUSE') return message;
  return `port ${port} is taken by another program; choose another one, or 0 for any that is free`;
}

export function complain(line: string): void {
  process.stderr.write(`cutover: ${line}\n`);
  process.exitCode = 1;
}
