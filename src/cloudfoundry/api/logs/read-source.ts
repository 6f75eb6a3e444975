import type { Client } from '../../../kube/client.ts';
import { isKubeError } from '../../../kube/error.ts';
import { kinds } from '../../../kube/kinds.ts';
import type { LineWindow } from './line-window.ts';
import { stampedLine } from './log-line.ts';
import type { LogSource } from './log-source.ts';

export interface ReadOptions {
  readonly start: bigint;
  /** Only so many of the last lines; all when absent. */
  readonly tailLines?: number;
  readonly signal: AbortSignal;
}

/** A longer line is cut there: nobody reads it, and memory is for all. */
const longestLine = 64 * 1024;
const newline = 0x0a;

/**
 * Reads what a container has printed into a window. A container that has not begun, or is gone with its pod, has printed
 * nothing. Errors: `KubeError` of all other kinds, `forbidden` among them.
 */
export async function readSource(
  client: Client,
  source: LogSource,
  window: LineWindow,
  { start, tailLines, signal }: ReadOptions,
): Promise<void> {
  const { namespace, pod, container, previous, sourceType, instance } = source;
  const options = {
    container,
    timestamps: true,
    signal,
    ...(previous && { previous }),
    ...(start > 0n && { sinceTime: new Date(Number(start / 1_000_000_000n) * 1000).toISOString().replace('.000', '') }),
    ...(tailLines !== undefined && { tailLines }),
  };
  try {
    const body = client.resource(kinds.pods).log({ namespace, name: pod }, options);
    for await (const line of boundedLines(body)) {
      const read = stampedLine(line);
      // Kubernetes does not say which of the two streams a line was printed to.
      if (read && !window.add({ ...read, kind: 'OUT', sourceType, instance })) return;
    }
  } catch (error) {
    if (!isKubeError(error, 'not-found', 'refused')) throw error;
  }
}

/** The lines of a body, without their ends; also the last one, which may have none. Too long ones are cut. */
export async function* boundedLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, undefined> {
  let pending = Buffer.alloc(0);
  for await (const part of body) {
    let rest = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    for (let end = rest.indexOf(newline); end !== -1; end = rest.indexOf(newline)) {
      yield cut(Buffer.concat([pending, rest.subarray(0, end)]));
      pending = Buffer.alloc(0);
      rest = rest.subarray(end + 1);
    }
    pending = cut(Buffer.concat([pending, rest]));
  }
  if (pending.length > 0) yield pending;
}

function cut(line: Buffer): Buffer<ArrayBuffer> {
  return Buffer.from(line.subarray(0, longestLine));
}
