import type { AnyObject } from '../../kube/object.ts';
import type { Call } from '../registry/ground.ts';
import { keyOf, objectAs } from '../registry/versions.ts';
import type { LogOptions } from '../runtime.ts';
import { forbiddenValue, invalidValue } from '../schema/field-error.ts';
import { type FieldError, invalid, notFound } from '../status-error.ts';
import type { Answer } from './answer.ts';
import { methodNotAllowed } from './not-there.ts';
import type { Serving, Visit } from './serving.ts';

/** Answers `pods/log`. @throws StatusError */
export async function servePodLog(serving: Serving, visit: Visit, call: Call): Promise<Answer> {
  if (visit.request.method !== 'GET') throw methodNotAllowed();
  const options = logOptions(visit, call.name);
  const body = await serving.runtime.log(podOf(serving, call), options);
  return { status: 200, headers: { 'content-type': 'text/plain' }, body };
}

/** The pod that a subresource is asked of. @throws StatusError 404 */
export function podOf({ ground }: Serving, { resource, namespace, name }: Call): AnyObject {
  const entry = ground.store.get(keyOf(resource, namespace, name));
  if (!entry) throw notFound({ ...resource, name });
  return objectAs(resource, ground.store, entry);
}

function logOptions({ query, request }: Visit, name: string): LogOptions {
  const errors: FieldError[] = [];
  const count = (field: string, least: number): number | undefined => {
    const text = query.get(field);
    if (text === null || text === '') return undefined;
    const value = Number(text);
    if (!Number.isInteger(value) || value < least) {
      const why = `must be greater than ${least === 0 ? 'or equal to 0' : '0'}`;
      errors.push(invalidValue(field, Number.isNaN(value) ? text : value, why));
    }
    return value;
  };
  const flag = (field: string): boolean => ['true', '1', ''].includes(query.get(field) ?? 'false');
  const container = query.get('container');
  const sinceTime = query.get('sinceTime');
  const tailLines = count('tailLines', 0);
  const limitBytes = count('limitBytes', 1);
  const sinceSeconds = count('sinceSeconds', 1);
  if (sinceSeconds !== undefined && sinceTime) {
    errors.push(forbiddenValue('', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  }
  if (errors.length > 0) throw invalid('', 'PodLogOptions', name, errors);
  return {
    ...(container && { container }),
    follow: flag('follow'),
    previous: flag('previous'),
    timestamps: flag('timestamps'),
    ...(tailLines !== undefined && { tailLines }),
    ...(limitBytes !== undefined && { limitBytes }),
    ...(sinceSeconds !== undefined && { sinceSeconds }),
    ...(sinceTime && { sinceTime }),
    ...(request.signal && { signal: request.signal }),
  };
}
