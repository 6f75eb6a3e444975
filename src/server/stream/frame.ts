import type { StreamEvents } from '../../portrait/wire.ts';

/** A message of the stream, as it goes over the wire. JSON never holds a line break, so it is one line of data. */
export function frame(event: keyof StreamEvents, json: string): Uint8Array {
  return Buffer.from(`event: ${event}\ndata: ${json}\n\n`);
}
