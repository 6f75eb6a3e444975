import type { AnyObject } from '../../kube/object.ts';
import { at } from '../graph/workload.ts';

/** Reads of an object of unknown shape what its controller says, as the API would have it. */

export function number(object: AnyObject, ...path: readonly string[]): number | undefined {
  const value = at(object, path);
  return typeof value === 'number' ? value : undefined;
}

export function text(object: AnyObject, ...path: readonly string[]): string | undefined {
  const value = at(object, path);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export interface FoundCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

export function condition(object: AnyObject, type: string): FoundCondition | undefined {
  const list = at(object, ['status', 'conditions']);
  if (!Array.isArray(list)) return undefined;
  for (const item of list) {
    const word = (field: string): string => {
      const value = at(item, [field]);
      return typeof value === 'string' ? value : '';
    };
    if (word('type') === type) {
      return { type, status: word('status'), reason: word('reason'), message: word('message') };
    }
  }
  return undefined;
}

/** Whether a controller has seen the specification as it is now. */
export function isObserved(object: AnyObject): boolean {
  const generation = object.metadata.generation ?? 0;
  return (number(object, 'status', 'observedGeneration') ?? 0) >= generation;
}
