import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../clock/clock.ts';
import type { Resolve } from '../../control/guarded-lookup.ts';
import { PortError } from '../../control/port.ts';
import type { ArtifactRules } from '../calls.ts';
import { artifactFault } from '../validate/artifact-uri.ts';
import { shownUri } from '../validate/uri.ts';
import { type Download, openDownload } from './download.ts';
import type { Jar } from './jar-form.ts';

/** A jar at hand. */
export interface Artifact extends Jar {
  /** It is not needed any more. */
  discard(): Promise<void>;
}

export interface FetchOptions {
  readonly clock: Clock;
  /** Larger jars are refused. Default 1 GiB. */
  readonly mostBytes?: number;
  /** Where jars are kept for a moment. Default: the machine's folder for such things. */
  readonly directory?: string;
  /** Ends the fetching. */
  readonly signal?: AbortSignal;
  /** Names to addresses. Default: the machine's resolver. */
  readonly resolve?: Resolve;
}

const gibibyte = 1024 ** 3;

/**
 * Fetches a jar from where a user says it is: `http:`, `https:`, or a file of this machine (`file:`), as far as the
 * operator allows it. Rejects with a `PortError`.
 *
 * Assumption: users are not trusted with the operator's own network. Every address that a name stands for, and every
 * place that a redirect leads to, is judged anew when it is connected to.
 */
export async function fetchArtifact(
  uri: string,
  rules: ArtifactRules,
  timeoutMs: number,
  options: FetchOptions,
): Promise<Artifact> {
  const policy = { schemes: rules.allowedSchemes, restrictHosts: rules.disallowRestrictedHosts };
  const fault = artifactFault(uri, policy);
  if (fault) throw new PortError('refused', fault.message);
  const { protocol, pathname } = new URL(uri);
  switch (protocol) {
    case 'file:':
      return localFile(uri, options);
    case 'http:':
    case 'https:':
      return limited(options, timeoutMs, (signal) => downloaded(uri, pathname, rules, options, signal));
    default:
      throw new PortError('refused', unsupported(uri, protocol));
  }
}

function unsupported(uri: string, protocol: string): string {
  if (protocol === 'local:') {
    return `${shownUri(uri)} names a file inside of a Flink image, but the jar of a session job is uploaded from here: use http(s), file, or leave jarURI out and name an entryClass that is on Flink's class path`;
  }
  return `jars cannot be fetched from ${protocol} URIs: put ${shownUri(uri)} behind https, or mount it and use file:`;
}

async function localFile(uri: string, { mostBytes = gibibyte }: FetchOptions): Promise<Artifact> {
  let path: string;
  let size: number;
  try {
    path = fileURLToPath(uri);
    const found = await stat(path);
    if (!found.isFile()) throw new Error('it is not a file');
    size = found.size;
  } catch (error) {
    throw new PortError('refused', `${shownUri(uri)} cannot be read here: ${(error as Error).message}`, {
      cause: error,
    });
  }
  if (size > mostBytes) throw tooLarge(uri, mostBytes);
  return { name: basename(path), size, open: () => createReadStream(path, { end: size - 1 }), discard: async () => {} };
}

async function downloaded(
  uri: string,
  pathname: string,
  rules: ArtifactRules,
  options: FetchOptions,
  signal: AbortSignal,
): Promise<Artifact> {
  const { mostBytes = gibibyte, directory = tmpdir(), resolve } = options;
  const download = await openDownload(uri, rules, { signal, ...(resolve && { resolve }) });
  const folder = await mkdtemp(join(directory, 'cutover-jar-'));
  const discard = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'job.jar');
    const size = await saved(download, path, uri, mostBytes, signal);
    return { name: basename(pathname), size, open: () => createReadStream(path), discard };
  } catch (error) {
    download.body.destroy();
    await discard();
    if (error instanceof PortError) throw error;
    throw new PortError('unknown', `${shownUri(uri)} broke off: ${(error as Error).message}`, { cause: error });
  }
}

async function saved(
  download: Download,
  path: string,
  uri: string,
  mostBytes: number,
  signal: AbortSignal,
): Promise<number> {
  if (download.length !== undefined && download.length > mostBytes) throw tooLarge(uri, mostBytes);
  let size = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      done(size > mostBytes ? tooLarge(uri, mostBytes) : null, chunk);
    },
  });
  await pipeline(download.body, counted, createWriteStream(path, { mode: 0o600 }), { signal });
  return size;
}

function tooLarge(uri: string, mostBytes: number): PortError {
  return new PortError(
    'refused',
    `${shownUri(uri)} is larger than ${Math.floor(mostBytes / 1024 / 1024)} MiB, the most that is fetched`,
  );
}

/** Ends work that takes too long, or that nobody wants any more. What it was waiting for may come later: that is for another try. */
async function limited<T>(
  { clock, signal }: FetchOptions,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const end = (): void => limit.abort(new PortError('unknown', 'nobody waits for the jar any more'));
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted) end();
  const message = `the jar was not there within ${timeoutMs / 1000} s`;
  const lift = clock.after(timeoutMs, () => limit.abort(new PortError('unknown', message)));
  try {
    return await work(limit.signal);
  } catch (error) {
    throw limit.signal.aborted ? limit.signal.reason : error;
  } finally {
    lift();
    signal?.removeEventListener('abort', end);
  }
}
