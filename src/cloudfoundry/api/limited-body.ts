import type { MiddlewareHandler } from 'hono';
import { tooLarge } from './cf-error.ts';

/**
 * Refuses bodies that are longer than `most` bytes: at once when the request says how long it is, else while it is read, so that
 * nobody can fill the memory.
 */
export function limitedBody(most: number): MiddlewareHandler {
  return async (c, next) => {
    const announced = c.req.header('content-length');
    if (announced !== undefined && Number(announced) > most) throw tooLarge(most);
    const { body } = c.req.raw;
    if (announced === undefined && body) {
      const { url, method, headers } = c.req.raw;
      c.req.raw = new Request(url, { method, headers, body: await read(body, most) });
    }
    await next();
  };
}

async function read(body: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > most) throw tooLarge(most);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
