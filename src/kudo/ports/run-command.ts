import { PortError } from '../../control/port.ts';
import type { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import { kinds } from '../../kube/kinds.ts';

/** Where a command runs. */
export interface Shell {
  readonly client: Client;
  readonly pod: { readonly namespace: string; readonly name: string };
  readonly container: string;
  readonly signal: AbortSignal;
}

export interface Printed {
  readonly code: number;
  readonly stdout: Buffer;
  /** Its beginning, on one line. */
  readonly stderr: string;
}

const longestComplaint = 1000;

/** Killed from outside: with its pod, most likely. */
const firstSignal = 128;

/**
 * Runs a command to its end. One that prints more than `most` bytes is left: `undefined`.
 *
 * Errors: `PortError` of kind `unknown` when it could not be run, or not to its end.
 */
export async function runCommand(
  command: readonly string[],
  most: number,
  { client, pod, container, signal }: Shell,
): Promise<Printed | undefined> {
  const what = `${command[0]} in pod ${pod.name}`;
  const out: Uint8Array[] = [];
  const err: Uint8Array[] = [];
  let size = 0;
  try {
    const session = await client.resource(kinds.pods).exec(pod, { command, container, signal });
    for await (const { stream, data } of session.output) {
      if (stream === 'stderr') {
        if (err.length < 64) err.push(data);
        continue;
      }
      size += data.length;
      if (size > most) return undefined;
      out.push(data);
    }
    const code = await session.exit;
    if (code > firstSignal) throw new PortError('unknown', `${what} was killed: exit code ${code}`);
    const complaint = Buffer.concat(err).toString('utf8').trim().replace(/\s+/g, ' ').slice(0, longestComplaint);
    return { code, stdout: Buffer.concat(out), stderr: complaint };
  } catch (error) {
    if (isKubeError(error)) throw new PortError('unknown', `${what}: ${error.message}`, { cause: error });
    throw error;
  }
}
