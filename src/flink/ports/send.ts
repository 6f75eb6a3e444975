import type * as z from 'zod';
import { PortError } from '../../control/port.ts';
import type { ClusterAddress } from '../rest.ts';
import type { Answer, Failure } from './ask.ts';
import type { WireRequest } from './wire.ts';

/** Sends a request of a verb; without a time limit of its own it has that of all requests. */
export type Send = <T>(
  cluster: ClusterAddress,
  request: Omit<WireRequest, 'timeoutMs'> & { readonly timeoutMs?: number },
  schema: z.ZodType<T>,
) => Promise<Answer<T>>;

/** The value of an answer. Throws a `PortError`. */
export function must<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.value;
  throw errorFrom(answer.failure);
}

/** A 4xx is Flink's last word, as is being kept from asking. Anything else may have happened or not. */
export function errorFrom({ kind, status = 0, message }: Failure): PortError {
  const final = kind === 'refused' && status < 500;
  return new PortError(final ? 'refused' : 'unknown', message);
}
