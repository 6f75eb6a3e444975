import type { AnyObject } from '../../kube/object.ts';
import type { Attempt } from '../gate.ts';
import type { Draft } from '../resource.ts';
import { copy } from '../schema/json.ts';
import { checkExclusive } from './check.ts';
import { fillDefaults, tidy } from './decode.ts';
import type { Call, Ground } from './ground.ts';
import { tidyMetadata } from './metadata.ts';
import type { WriteOptions } from './write-options.ts';

/** What admission is asked about, save for the objects. */
export function attemptOf(
  call: Call,
  operation: Attempt['operation'],
  name: string,
  options: Pick<WriteOptions, 'dryRun' | 'object'>,
): Omit<Attempt, 'object' | 'oldObject'> {
  return {
    operation,
    resource: call.resource,
    ...(call.subresource && { subresource: call.subresource }),
    ...(call.namespace && { namespace: call.namespace }),
    name,
    user: call.user,
    dryRun: options.dryRun,
    options: options.object,
  };
}

/** Lets admission change the object. What it changed is completed again as if the user had sent it so. */
export async function mutate(
  ground: Ground,
  call: Call,
  attempt: Omit<Attempt, 'object' | 'oldObject'>,
  draft: Draft,
  oldObject: AnyObject | undefined,
): Promise<Draft> {
  const { object, warnings } = await ground.admission.mutate({ ...attempt, object: draft as AnyObject, oldObject });
  for (const text of warnings) call.warn(text);
  if (object === undefined || object === draft) return draft;
  const changed = copy(object) as Draft;
  tidy(call.resource, changed);
  fillDefaults(call.resource, changed);
  tidyMetadata(call, changed);
  return changed;
}

/**
 * The last look before a write, without waiting: what was fine when admission began may not be any more.
 *
 * @throws StatusError 403, 404, 422
 */
export function settle(ground: Ground, call: Call, attempt: Attempt): void {
  ground.admission.settle(attempt);
  if (attempt.object) checkExclusive(call.resource, attempt.object, ground.context);
}

/** Lets admission refuse the object. */
export async function admit(ground: Ground, call: Call, attempt: Attempt): Promise<void> {
  const { warnings } = await ground.admission.validate(attempt);
  for (const text of warnings) call.warn(text);
}
