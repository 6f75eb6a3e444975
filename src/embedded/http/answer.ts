import type { Status } from '../../kube/object.ts';
import type { Response } from '../../kube/transport.ts';

/** The answer to a request, before it is known whether it goes to a socket or to a caller in the same process. */
export interface Answer {
  readonly status: number;
  /** Header names in lower case. A list is sent as several headers of the same name. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Aborts when the reader of the body is too slow to be waited for any longer. */
  readonly cut?: AbortSignal;
}

export const json = 'application/json';

export function jsonAnswer(status: number, body: string, headers: Answer['headers'] = {}): Answer {
  return { status, headers: { 'content-type': json, ...headers }, body };
}

export function textAnswer(status: number, body: string): Answer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}

export function statusAnswer(status: Status): Answer {
  const seconds = status.details?.retryAfterSeconds;
  const shown = status.reason ? status : { ...status, reason: undefined };
  return jsonAnswer(status.code, JSON.stringify(shown), seconds ? { 'retry-after': String(seconds) } : {});
}

/** The answer as the in-process transport hands it to its caller. */
export function responseOf(answer: Answer): Response {
  const headers = Object.entries(answer.headers).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : value.join(', '),
  ]);
  return { status: answer.status, headers: Object.fromEntries(headers), body: chunks(answer.body) };
}

async function* chunks(body: Answer['body']): AsyncGenerator<Uint8Array> {
  if (typeof body === 'string') {
    if (body) yield Buffer.from(body);
  } else if (body instanceof Uint8Array) {
    if (body.length > 0) yield body;
  } else yield* body;
}
