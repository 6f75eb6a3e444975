import type { InstancesStatus } from '../../resources/instances-status.ts';
import type { Instance } from './instance.ts';

type InstanceStatus = InstancesStatus[string];

/** More do not fit into an object. */
const mostShown = 5000;

/**
 * How each wanted instance stands: always exactly as many as are wanted, and never RUNNING by a pod of another revision,
 * for whoever waits for this one would take that for its success.
 */
export function instancesStatus(instances: readonly Instance[], wanted: number, version: string): InstancesStatus {
  const byOrdinal = new Map(instances.map((instance) => [instance.ordinal, instance]));
  const entries = Array.from({ length: Math.min(wanted, mostShown) }, (_, index) => [
    String(index),
    status(byOrdinal.get(index), version),
  ]);
  return Object.fromEntries(entries) as InstancesStatus;
}

function status(instance: Instance | undefined, version: string): InstanceStatus {
  if (!instance) return { state: 'DOWN' };
  const { state, since, trouble, ending, ready } = instance;
  if (instance.version !== version) {
    const details = `revision ${instance.version} ${ready ? 'still serves here' : 'is being replaced here'}`;
    return { state: 'STARTING', details };
  }
  if (ending) return { state: 'STARTING', details: 'is being replaced' };
  return { state, ...(since && { timestamp: since }), ...(trouble !== undefined && { details: trouble }) };
}
