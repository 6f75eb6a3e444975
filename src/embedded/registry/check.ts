import type { AnyObject } from '../../kube/object.ts';
import { validateMeta } from '../kinds/object-meta.ts';
import { pathSegment } from '../kinds/syntax.ts';
import type { ServedResource, StrategyContext } from '../resource.ts';
import { validate } from '../schema/validate.ts';
import { type FieldError, invalid } from '../status-error.ts';
import { groupInErrors } from './peculiar.ts';

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
  const own = strategy.validate?.(object, before, context) ?? [];
  const errors = resource.custom && schema ? besides(own, validate(schema, object, before)) : [...own];
  if (errors.length === 0) errors.push(...validateMeta(object, before, pathSegment));
  refuse(resource, object, errors);
  checkExclusive(resource, object, context);
}

/** Refuses an object that wants what another has. @throws StatusError 422 */
export function checkExclusive(resource: ServedResource, object: AnyObject, context: StrategyContext): void {
  refuse(resource, object, resource.strategy.exclusive?.(object, context) ?? []);
}

/** What `check` is, for a write through the status subresource. */
export function checkStatus(resource: ServedResource, object: AnyObject, before: AnyObject): void {
  const { schema, strategy } = resource;
  const own = strategy.validateStatus?.(object, before) ?? [];
  const errors = resource.custom && schema ? besides(own, validate(schema, object, before)) : [...own];
  if (errors.length === 0) errors.push(...validateMeta(object, before, pathSegment));
  refuse(resource, object, errors);
}

/** Errors in the real server's order: metadata, then what the schema says, then what the subresources ask. */
function besides(own: readonly FieldError[], bySchema: readonly FieldError[]): FieldError[] {
  const isMeta = ({ field }: FieldError): boolean => field.startsWith('metadata');
  return [...own.filter(isMeta), ...bySchema, ...own.filter((error) => !isMeta(error))];
}

function refuse(resource: ServedResource, object: AnyObject, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(groupInErrors(resource), resource.kind, object.metadata.name ?? '', errors);
}
