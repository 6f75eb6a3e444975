import type { ServerResponse } from 'node:http';
import type { Outlet } from './asked.ts';

/** The rest of a response whose head is on its way. */
export function outletOf(response: ServerResponse): Outlet {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  if (response.destroyed) closed.abort();
  return {
    write: (chunk) => void (response.writable && response.write(chunk)),
    get full() {
      return response.writableNeedDrain;
    },
    onDrain: (callback) => void response.on('drain', callback),
    end: () => void response.end(),
    cut: () => void response.destroy(),
    closed: closed.signal,
  };
}
