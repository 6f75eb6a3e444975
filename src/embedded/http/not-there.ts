import { StatusError } from '../status-error.ts';
import { type Answer, textAnswer } from './answer.ts';
import type { Serving } from './serving.ts';
import type { ResourceTarget } from './target.ts';

export const pageNotFound: Answer = textAnswer(404, '404 page not found\n');

/** Groups that come with the server know what they do not have; of a custom one there is no trace. */
export function unknownResource({ resources }: Serving, { group, version }: ResourceTarget): Answer {
  const builtIn = resources.all().some((one) => !one.custom && one.group === group && one.version === version);
  if (!builtIn) return pageNotFound;
  throw new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function methodNotAllowed(): StatusError {
  const message = 'the server does not allow this method on the requested resource';
  return new StatusError(405, 'MethodNotAllowed', message, {});
}
