const INSIDE = 'CUTOVER_RIG_INSIDE';

/**
 * Puts this process into a network namespace of its own, by starting the same program there in its place: same pid, same
 * standard streams. Returns only when it is inside.
 */
export function enterOwnNetwork(): void {
  if (process.env[INSIDE] !== undefined) return;
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const env = Object.entries({ ...process.env, [INSIDE]: '1' }).filter(
    (entry): entry is [string, string] => !!entry[1],
  );
  process.execve?.('/usr/bin/env', ['env', 'unshare', '--net', '--', ...again], Object.fromEntries(env));
  throw new Error('could not enter a network namespace: this Node has no execve');
}
