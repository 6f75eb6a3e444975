import { isKubeError } from '../../kube/error.ts';
import { Refusal } from '../http/refusal.ts';

/** What became of a request that was made in a person's own name, told to that person. `what`: `patch Instance ledger`. */
export function kubeRefusal(error: unknown, what: string): unknown {
  if (!isKubeError(error)) return error;
  const said = error.status?.message ?? error.message;
  switch (error.kind) {
    case 'unauthorized':
      return new Refusal(401, 'The cluster does not accept your token any more. Log in again.');
    case 'forbidden':
      return new Refusal(403, `You may not ${what}: ${said}`);
    case 'conflict':
      return changed(said);
    case 'not-found':
      return new Refusal(404, `It is not there any more: ${said}`);
    case 'refused':
    case 'exists':
      // A patch whose test did not hold is "invalid" to the API server.
      if (/\btest(ing)?\b.*\bfailed/i.test(said)) return changed(said);
      return new Refusal(422, `The cluster refused to ${what}: ${said}`);
    case 'throttled':
      return new Refusal(503, 'The cluster has too much to do right now. Try again in a moment.', {
        'retry-after': '2',
      });
    default:
      return new Refusal(
        502,
        `The cluster did not answer, so it may be done or not: look before you try again. ${said}`,
      );
  }
}

function changed(said: string): Refusal {
  return new Refusal(409, `It changed while you looked at it, and nothing was done. Look again: ${said}`);
}
