import { badRequest, internalError, StatusError } from '../status-error.ts';
import type { Arrival, Serving } from './serving.ts';

/** The refusal that an error means. What is not a refusal is the server's own failure, and is reported. */
export function statusOf(serving: Serving, arrival: Arrival, error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  // A value so deep or odd that a walk over it failed is the client's doing.
  if (error instanceof RangeError) return badRequest(`the request cannot be processed: ${error.message}`);
  serving.trouble(`${arrival.method} ${arrival.path.split('?', 1)[0]}`, error);
  return internalError(error);
}
