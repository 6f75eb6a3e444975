import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Where built and fetched parts are kept between runs. `CUTOVER_RIG_CACHE` moves it. */
export function cacheDirectory(env: NodeJS.ProcessEnv = process.env): string {
  return env.CUTOVER_RIG_CACHE ?? join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'cutover-rig');
}

/**
 * Where running clusters keep certificates, data and logs; each has its own directory, which goes when it ends.
 * Short, because Unix sockets live in it. `CUTOVER_RIG_RUNS` moves it.
 */
export function runsDirectory(env: NodeJS.ProcessEnv = process.env): string {
  return env.CUTOVER_RIG_RUNS ?? join(tmpdir(), `cutover-rig-${userInfo().uid}`);
}
