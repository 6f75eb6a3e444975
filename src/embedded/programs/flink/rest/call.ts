import type { Job } from '../job.ts';
import type { JobManager } from '../job-manager.ts';
import { jobNotFound } from '../throwable.ts';
import type { JobViews } from './job-view.ts';
import { badBody, notFound, RestError } from './rest-error.ts';

/** A request that has found its route. */
export interface Call {
  readonly manager: JobManager;
  readonly views: JobViews;
  /** What stands where the route's pattern has `:name`. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** One kind of request and how it is answered. */
export interface Route {
  readonly method: string;
  readonly pattern: string;
  handle(call: Call): Reply | Promise<Reply>;
}

export const ok = (body: unknown): Reply => ({ status: 200, body });
export const accepted = (body: unknown): Reply => ({ status: 202, body });

/** @throws RestError 404 */
export function jobOf({ manager, parameters }: Call, at: string): Job {
  const id = parameters.job ?? '';
  const job = manager.jobs.get(id);
  if (!job) throw notFound(`Job ${id} not found`, at, jobNotFound(id));
  return job;
}

/**
 * The body as a JSON object; an empty one is an empty object.
 *
 * @throws RestError 400
 */
export function objectOf({ body }: Call, type: string): Readonly<Record<string, unknown>> {
  const text = Buffer.from(body).toString('utf8');
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RestError(400, 'Bad request received.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badBody(type, 'not an object');
  return value as Record<string, unknown>;
}

/**
 * An id of 32 hexadecimal digits that the body may carry.
 *
 * @throws RestError 400
 */
export function idIn(body: Readonly<Record<string, unknown>>, field: string, type: string): string | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && /^[0-9a-f]{32}$/i.test(value)) return value.toLowerCase();
  const shown = typeof value === 'string' ? value.slice(0, 2) : String(value);
  throw badBody(type, `For input string: "${shown}" under radix 16 (through reference chain: ${type}["${field}"])`);
}

/** A text that the body may carry. */
export function textIn(body: Readonly<Record<string, unknown>>, ...fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const value = body[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}
