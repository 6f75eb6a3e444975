import { KubeError } from './error.ts';

/** As servers say it of an object, with its name; without one it is said of something else, such as the whole resource. */
export function notFound(name?: string): KubeError {
  const details = name === undefined ? {} : { details: { name } };
  return new KubeError('not-found', `${name ?? 'the requested resource'} was not found`, {
    status: { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure', code: 404, ...details },
  });
}
