import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { createGzip, constants as zlib } from 'node:zlib';
import type { Answer } from './answer.ts';

/** Answers shorter than this are not worth compressing. */
const worthCompressing = 128 * 1024;

/** Writes an answer to a socket, no faster than the client reads it. Rejects when the client leaves. */
export async function send(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  const { status, headers, body, cut } = answer;
  cut?.addEventListener('abort', () => response.destroy(), { once: true });
  const whole = typeof body === 'string' || body instanceof Uint8Array ? body : undefined;
  const zips = acceptsGzip(request) && headers['content-encoding'] === undefined && isText(headers);
  if (whole !== undefined && !(zips && whole.length >= worthCompressing)) {
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(whole) } as OutgoingHttpHeaders);
    // Text goes out in one piece with the headers, which halves the work of encrypting a small answer.
    response.end(whole);
    return;
  }
  const chunks = whole === undefined ? (body as AsyncIterable<Uint8Array>) : [Buffer.from(whole as string)];
  // A stream is long or live. Long ones are lists; what is live must not wait in a compressor.
  const isLive = whole === undefined && isWatch(request);
  if (zips && !isLive) {
    response.writeHead(status, {
      ...headers,
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
    } as OutgoingHttpHeaders);
    const gzip = createGzip({ level: zlib.Z_BEST_SPEED });
    gzip.pipe(response);
    for await (const chunk of chunks) if (!gzip.write(chunk)) await drained(gzip, response);
    gzip.end();
    return;
  }
  response.writeHead(status, headers as OutgoingHttpHeaders);
  response.flushHeaders();
  for await (const chunk of chunks) {
    if (response.destroyed) return;
    if (!response.write(chunk)) await drained(response, response);
  }
  response.end();
}

/** Waits until the stream takes more. A connection that is gone takes no more, which ends the loop by an exception. */
function drained(
  stream: { once(event: string, listener: () => void): unknown },
  response: ServerResponse,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (response.destroyed) return reject(new Error('the client left'));
    const left = (): void => reject(new Error('the client left'));
    response.once('close', left);
    stream.once('drain', () => {
      response.off('close', left);
      resolve();
    });
  });
}

const acceptsGzip = (request: IncomingMessage): boolean =>
  /(?:^|,)\s*gzip\s*(?:,|;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|$)/.test(String(request.headers['accept-encoding'] ?? ''));

const isWatch = ({ url = '' }: IncomingMessage): boolean =>
  /[?&](?:watch|follow)=(?!false|0)|\/watch\/|\/log\?|\/proxy/.test(url);

const isText = (headers: Answer['headers']): boolean => /json|yaml/.test(String(headers['content-type'] ?? ''));
