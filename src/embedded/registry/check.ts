import type { AnyObject } from '../../kube/object.ts';
import { validateMeta } from '../kinds/object-meta.ts';
import { pathSegment } from '../kinds/syntax.ts';
import type { ServedResource, StrategyContext } from '../resource.ts';
import { validate } from '../schema/validate.ts';
import { type FieldError, invalid } from '../status-error.ts';

/**
 * Refuses an object whose fields are wrong. The kind's own rules come first: their messages are the better ones.
 *
 * @throws StatusError 422 with every field that is wrong
 */
export function check(
  resource: ServedResource,
  object: AnyObject,
  before: AnyObject | undefined,
  context: StrategyContext,
): void {
  const { schema, strategy } = resource;
  const errors: FieldError[] = [...(strategy.validate?.(object, before, context) ?? [])];
  if (resource.custom && schema) errors.push(...validate(schema, object, before));
  if (errors.length === 0) errors.push(...validateMeta(object, before, pathSegment));
  refuse(resource, object, errors);
}

/** The same for a write through the status subresource. */
export function checkStatus(resource: ServedResource, object: AnyObject, before: AnyObject): void {
  const { schema, strategy } = resource;
  const errors: FieldError[] = [...(strategy.validateStatus?.(object, before) ?? [])];
  if (resource.custom && schema) errors.push(...validate(schema, object, before));
  if (errors.length === 0) errors.push(...validateMeta(object, before, pathSegment));
  refuse(resource, object, errors);
}

function refuse(resource: ServedResource, object: AnyObject, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(resource.group, resource.kind, object.metadata.name ?? '', errors);
}
