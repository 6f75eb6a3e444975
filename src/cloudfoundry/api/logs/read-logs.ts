import { isKubeError } from '../../../kube/error.ts';
import type { CfApp } from '../../resources/cf-app.ts';
import { notAuthorized } from '../cf-error.ts';
import { cfErrorOf } from '../kube-trouble.ts';
import { bounded } from '../list-as.ts';
import type { LogQuery } from '../payload/log-query.ts';
import type { Caller, Platform } from '../platform.ts';
import { LineWindow, type WindowOptions } from './line-window.ts';
import type { LogLine } from './log-line.ts';
import type { LogSource } from './log-source.ts';
import { readSource } from './read-source.ts';
import { sourcesOf } from './sources-of.ts';
import { stagingLines } from './staging-lines.ts';

/** How many containers are read at once, and how much of the payloads of one request is kept. */
const lanes = 8;
const mostBytes = 4 << 20;
/** What has not been read by then is left out: `cf` asks again. */
const patienceMs = 10_000;

/**
 * What an app has printed in a window of time, read with the caller's own credentials, in the order of time. A container that
 * cannot be read now (its node is away) is left out and named in our own log; the others are worth having without it.
 */
export async function readLogs(
  { clock, log }: Pick<Platform, 'clock' | 'log'>,
  caller: Caller,
  app: CfApp,
  { start, end, limit, descending }: LogQuery,
): Promise<readonly LogLine[]> {
  const { containers, build } = await sourcesOf(caller, app);
  const options: WindowOptions = { start, end, limit, keep: descending ? 'newest' : 'oldest', maxBytes: mostBytes };
  const all = new LineWindow(options);
  for (const line of build ? stagingLines(build) : []) all.add(line);

  const ended = new AbortController();
  const callOff = clock.after(patienceMs, () => ended.abort());
  // The last lines are the newest ones: unless newer ones are not wanted, no more of them need to be read.
  const tail = descending && end === undefined ? { tailLines: limit } : {};
  try {
    await bounded(containers, lanes, async (source) => {
      const window = new LineWindow(options);
      try {
        await readSource(caller.client, source, window, { start, ...tail, signal: ended.signal });
      } catch (error) {
        forgive(error, source, log);
      }
      all.join(window);
    });
  } finally {
    callOff();
    ended.abort();
  }
  return all.lines();
}

function forgive(error: unknown, { namespace, pod, container }: LogSource, log: Platform['log']): void {
  if (isKubeError(error, 'forbidden')) throw notAuthorized(error);
  if (!isKubeError(error, 'server', 'unreachable', 'throttled', 'garbled', 'aborted')) {
    throw cfErrorOf(error, { verb: 'read', label: 'App' });
  }
  log.warn({ error, namespace, pod, container }, 'the log of a container cannot be read now');
}
