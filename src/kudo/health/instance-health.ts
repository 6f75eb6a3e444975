import type { AnyObject } from '../../kube/object.ts';
import { at } from '../graph/workload.ts';
import { failed, type Health, healthy, waiting } from './health.ts';
import { condition, isObserved, text } from './status-of.ts';

/**
 * A child is healthy when what was asked of it has been done: nothing runs, nothing waits, and it did not fail. (KUDO goes
 * on when a child has failed.) A plan that somebody ran on the child by hand says nothing about it.
 */
export function instanceHealth(object: AnyObject): Health {
  const name = JSON.stringify(object.metadata.name);
  const running = text(object, 'spec', 'planExecution', 'planName') ?? text(object, 'status', 'execution', 'plan');
  if (running !== undefined) return waiting(`instance ${name} runs plan ${running}`);
  if (at(object, ['status', 'planStatus']) === undefined || !isObserved(object)) {
    return waiting(`instance ${name} has not been looked at yet`);
  }
  const accepted = condition(object, 'Accepted');
  if (accepted?.status === 'False') return failed(`instance ${name} refuses its parameters: ${accepted.message}`);
  const pending = condition(object, 'Waiting');
  if (pending?.status === 'True') return waiting(`instance ${name}: ${pending.message}`);
  const byHand = at(object, ['status', 'history', '0', 'cause']) === 'trigger';
  const plan = text(object, 'status', 'latest', 'plan');
  const isFatal = text(object, 'status', 'latest', 'status') === 'FATAL_ERROR';
  return isFatal && !byHand ? failed(`instance ${name}: plan ${plan} ended in FATAL_ERROR`) : healthy;
}
