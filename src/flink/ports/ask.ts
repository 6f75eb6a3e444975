import * as z from 'zod';
import type { ClusterAddress, Trouble } from '../rest.ts';
import { summaryOf } from './java-trace.ts';
import { described, type Heard, type Wire, type WireRequest } from './wire.ts';

/** What a request came to: a value that was checked, or one of few failures. Nothing is ever thrown. */
export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

export interface Failure {
  readonly kind: Trouble['kind'];
  /** Of Flink's answer, if it gave one. */
  readonly status?: number;
  /** For people: which request, of which cluster, why. */
  readonly message: string;
  /** All that Flink said, stack traces included; empty when it said nothing. */
  readonly said: string;
}

/** Sends one request and reads its answer by the schema. */
export async function ask<T>(
  wire: Wire,
  cluster: ClusterAddress,
  request: WireRequest,
  schema: z.ZodType<T>,
): Promise<Answer<T>> {
  const what = described(cluster, request);
  const heard = await wire.request(cluster, request);
  if (heard.is !== 'answer') return { ok: false, failure: { kind: kindOf(heard), message: heard.message, said: '' } };
  if (heard.status < 200 || heard.status >= 300) return { ok: false, failure: failureFrom(heard, what) };
  let json: unknown;
  try {
    json = JSON.parse(heard.text);
  } catch {
    const excerpt = heard.text.trim().replace(/\s+/g, ' ').slice(0, 80);
    const message = `${what}: the answer is not JSON, or is cut off: ${JSON.stringify(excerpt)}`;
    return { ok: false, failure: { kind: 'nonsense', status: heard.status, message, said: '' } };
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return { ok: true, value: parsed.data };
  const [issue] = parsed.error.issues;
  const message = `${what}: the answer is not what Flink's should be: ${z.core.toDotPath(issue?.path ?? [])} ${issue?.message}`;
  return { ok: false, failure: { kind: 'nonsense', status: heard.status, message, said: '' } };
}

/** Makes a value of an answer whose schema is right but which speaks of something else. */
export function speaksOf(cluster: ClusterAddress, asked: string, answered: string): Answer<never> {
  const message = `${cluster.namespace}/${cluster.name} was asked about ${asked} and answered about ${answered}`;
  return { ok: false, failure: { kind: 'nonsense', message, said: '' } };
}

const errorBody = z.object({ errors: z.array(z.string()) });

function failureFrom({ status, text }: Heard & { is: 'answer' }, what: string): Failure {
  const said = errorsOf(text);
  const why = summaryOf(said) || `status ${status}`;
  return { kind: kindOfStatus(status), status, message: `${what}: ${why}`, said };
}

function errorsOf(text: string): string {
  try {
    const parsed = errorBody.safeParse(JSON.parse(text));
    // Of a failure inside, the first says only that there was one.
    if (parsed.success) return parsed.data.errors.toReversed().join('\n');
  } catch {}
  return text.slice(0, 4096);
}

/** 429, 502, 503 and 504 say to come again; any other says no. */
function kindOfStatus(status: number): Trouble['kind'] {
  return status === 429 || (status >= 502 && status <= 504) ? 'not ready' : 'refused';
}

function kindOf({ is }: Heard): Trouble['kind'] {
  switch (is) {
    case 'silence':
      return 'unreachable';
    case 'barred':
      return 'refused';
    default:
      return 'nonsense';
  }
}
