import type { PatchOperation, Write } from '../../../portrait/verb.ts';
import { instance, type PlanExecution } from '../../resources/instance.ts';
import type { Read } from '../instance-in.ts';

/** A write to this Instance, and to no later one of its name. */
export function patchOf({ metadata }: Read, operations: readonly PatchOperation[]): Write {
  const { namespace = 'default', name = '', uid = '' } = metadata;
  return {
    do: 'patch',
    type: instance.type,
    namespace,
    name,
    patch: [{ op: 'test', path: '/metadata/uid', value: uid }, ...operations],
  };
}

/** A letter in `spec.planExecution`. One that somebody else put there meanwhile is not written over. */
export function letterOf(read: Read, letter: PlanExecution): Write {
  const { planExecution: before } = read.spec;
  return patchOf(read, [
    ...(before ? [{ op: 'test', path: '/spec/planExecution', value: { ...before } } as const] : []),
    { op: 'add', path: '/spec/planExecution', value: { ...letter } },
  ]);
}
