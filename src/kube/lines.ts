import { KubeError } from './error.ts';

const newline = 0x0a;

/**
 * Splits a body into its lines, without their line ends; empty lines are left out. A last line without an end is the
 * sign of a broken stream and fails with `garbled`.
 *
 * Works on bytes, so a character that is split between two chunks is never torn. A yielded buffer is only a view of
 * what arrived: decode it before asking for the next.
 *
 * `longest` bounds the memory that a server without line ends can claim.
 */
export async function* lines(
  body: AsyncIterable<Uint8Array>,
  longest = 64 << 20,
): AsyncGenerator<Buffer, void, undefined> {
  let pending: Buffer[] = [];
  let pendingSize = 0;
  for await (const part of body) {
    const chunk = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const rest = chunk.subarray(start, end);
      start = end + 1;
      if (pendingSize === 0) {
        if (rest.length > 0) yield rest;
      } else {
        pending.push(rest);
        const line = Buffer.concat(pending, pendingSize + rest.length);
        pending = [];
        pendingSize = 0;
        yield line;
      }
    }
    if (start < chunk.length) {
      pending.push(chunk.subarray(start));
      pendingSize += chunk.length - start;
      if (pendingSize > longest) throw new KubeError('garbled', `a line of the stream is longer than ${longest} bytes`);
    }
  }
  if (pendingSize > 0) throw new KubeError('garbled', 'the stream ended in the middle of a line');
}
