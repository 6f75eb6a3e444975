import type { Condition } from '../../src/control/conditions.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import type { Standing } from './ground.ts';

/** What most of our kinds say of themselves. */
interface Said {
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
  readonly error?: string;
  readonly transition?: unknown;
}

/**
 * What an object says of its last edit by the conditions that our kinds share: `Ready`, `Reconciling` and `Stalled`, and by
 * `error`. Nothing that was said of an older generation counts.
 */
export function standingOf(object: AnyObject): Standing {
  const { metadata, status } = object;
  const { observedGeneration, conditions = [], error, transition } = (status ?? {}) as Said;
  const words = wordsOf(object);
  const current = conditions.filter((one) => one.observedGeneration === metadata.generation);
  const is = (type: string): boolean => current.some((one) => one.type === type && one.status === 'True');
  // What is refused is not reconciled: the generation that is stays the one before.
  if (is('Stalled')) return { is: 'told', words };
  if (observedGeneration !== metadata.generation) return { is: 'working', words: `not looked at: ${words}` };
  if (error) return { is: 'told', words };
  if (transition || is('Reconciling')) return { is: 'working', words };
  return is('Ready') ? { is: 'realised' } : { is: 'working', words };
}

/** All that is told of an object, a line each. */
export function wordsOf(object: AnyObject): string {
  const { conditions = [], error } = (object.status ?? {}) as Said;
  const told = conditions.map(({ type, status: is, reason, message }) => `${type}=${is} ${reason} ${message}`);
  return [...(error ? [error] : []), ...told].join('\n');
}
