import { isKubeError, type KubeError } from '../../kube/error.ts';
import { causesOf } from '../../kube/error-from.ts';
import { CfError, failure, invalidAuthToken, notAuthorized, notFound, notUnique, unprocessable } from './cf-error.ts';

/**
 * What an answer of the Kubernetes API server means to a client of the CF API. The only place that knows; everything that
 * speaks to Kubernetes for a caller goes through it.
 *
 * On a read, `forbidden` is `not found`: whoever may not see an object does not learn that it exists.
 */
export function cfErrorOf(error: unknown, doing: { readonly verb: 'read' | 'write'; readonly label: string }): CfError {
  if (error instanceof CfError) return error;
  if (!isKubeError(error)) return failure(500, 'An unknown error occurred.', error);
  const { label, verb } = doing;
  switch (error.kind) {
    case 'not-found':
      return notFound(label);
    case 'forbidden':
      return verb === 'read' ? notFound(label) : notAuthorized(error);
    case 'unauthorized':
      return invalidAuthToken();
    case 'exists':
      return notUnique(`${label} already exists.`);
    case 'conflict':
      return failure(503, `${label} is being changed by others at the same time. Try again.`, error);
    case 'refused':
      return unprocessable(serversWords(error), error);
    case 'throttled':
    case 'server':
    case 'garbled':
      return failure(503, 'The Kubernetes API server could not answer this request. Try again in a moment.', error);
    case 'unreachable':
      return failure(503, 'The Kubernetes API server cannot be reached. Try again in a moment.', error);
    case 'gone':
    case 'aborted':
      return failure(503, 'The request was ended before it was answered. Try again.', error);
  }
}

/**
 * What it means to a caller that the operator's own request failed. Rights that the operator lacks are no fault of the caller's:
 * he is neither unknown nor looking for something that is not there.
 */
export function ownTrouble(error: unknown): CfError {
  if (isKubeError(error, 'unauthorized', 'forbidden')) {
    return failure(
      503,
      'Kubernetes does not let the API do its own part of this request. Its log says what is missing.',
      error,
    );
  }
  return cfErrorOf(error, { verb: 'read', label: 'Resource' });
}

/** `CFRoute.korifi.cloudfoundry.org "x" is invalid: spec.host: …` → what is wrong, without the name of the object. */
function serversWords(error: KubeError): string {
  const causes = causesOf(error.status).flatMap(({ field, message }) =>
    message ? [field && !message.startsWith(field) ? `${field}: ${message}` : message] : [],
  );
  if (causes.length > 0) return causes.join(', ');
  const text = error.status?.message ?? 'The request was refused.';
  return text
    .replace(/^admission webhook "[^"]*" denied the request: /, '')
    .replace(/^[\w.]+ "[^"]*" is invalid: /, '');
}
