import { KubeError, type KubeErrorKind } from './error.ts';
import { http } from './node-http.ts';
import type { Status, StatusCause } from './object.ts';
import type { Response } from './transport.ts';

/** More of an error's body than this is not worth reading. */
const longestError = 1 << 20;

/** Whatever a server or a proxy asks for, after an hour it is tried again. */
const longestWaitMs = 3_600_000;

/** The error that an answer with an error status means. Reads the answer's body; `what` names the request. */
export async function errorFrom(response: Response, what: string): Promise<KubeError> {
  const retryAfterMs = retryAfter(response.headers);
  const text = await readText(response.body);
  const status = parseStatus(text);
  if (status) return errorFromStatus(status, what, { code: response.status, retryAfterMs });
  const code = response.status;
  const excerpt = text.trim().replace(/\s+/g, ' ').slice(0, 200);
  const phrase = http.STATUS_CODES[code] ?? 'unknown status';
  const message = `${what}: the server answered ${code} ${phrase}${excerpt && `: ${excerpt}`}`;
  return new KubeError(kindOf(code, undefined), message, { retryAfterMs });
}

/** The error that a `Status` means, be it an answer's body or an ERROR event inside a watch. Total: its fields may be anything. */
export function errorFromStatus(
  status: Status,
  what: string,
  http: { readonly code?: number; readonly retryAfterMs?: number | undefined } = {},
): KubeError {
  const code = http.code ?? (typeof status.code === 'number' ? status.code : 500);
  const seconds: unknown = status.details?.retryAfterSeconds;
  const retryAfterMs = http.retryAfterMs ?? (typeof seconds === 'number' ? waitOf(seconds * 1000) : undefined);
  const message = `${what}: ${textIn(status.message) || textIn(status.reason) || `the server answered ${code}`}`;
  return new KubeError(kindOf(code, textIn(status.reason)), message, { status, retryAfterMs });
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function waitOf(ms: number): number | undefined {
  return ms > 0 ? Math.min(ms, longestWaitMs) : undefined;
}

function kindOf(code: number, reason: string | undefined): KubeErrorKind {
  switch (code) {
    case 401:
      return 'unauthorized';
    case 403:
      return 'forbidden';
    case 404:
      return 'not-found';
    case 409:
      return reason === 'AlreadyExists' ? 'exists' : 'conflict';
    case 410:
      return 'gone';
    case 429:
      return 'throttled';
  }
  if (code >= 500) return 'server';
  return code >= 400 ? 'refused' : 'garbled';
}

function parseStatus(text: string): Status | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isStatus(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a decoded body is a `Status` rather than the object that was asked for. */
export function isStatus(value: unknown): value is Status {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'Status';
}

/** The causes that a `Status` names. Whoever sent it may have sent anything. */
export function causesOf(status: Status | undefined): readonly StatusCause[] {
  const causes: unknown = status?.details?.causes;
  return Array.isArray(causes) ? causes.filter((cause) => typeof cause === 'object' && cause !== null) : [];
}

/** Seconds, or a date by the server's own clock; nonsense counts as nothing said. */
function retryAfter(headers: Response['headers']): number | undefined {
  const header = headers['retry-after'];
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return waitOf(Number(header) * 1000);
  return waitOf(Date.parse(header) - Date.parse(headers.date ?? ''));
}

/** What can be had of the body: an error is reported even when its text breaks off. */
async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > longestError) break;
    }
  } catch {}
  return Buffer.concat(chunks).toString('utf8');
}
