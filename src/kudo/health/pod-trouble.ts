import type { AnyObject } from '../../kube/object.ts';
import { at } from '../graph/workload.ts';
import { condition } from './status-of.ts';

/** What every container goes through on its way up. */
const usual: ReadonlySet<unknown> = new Set([undefined, 'ContainerCreating', 'PodInitializing', 'CrashLoopBackOff']);

/**
 * Why a pod does not come up: no node, an image that cannot be had, a container that ends; `undefined` while nothing speaks against it.
 * The text stays the same while the cause does, though each try looks different for a moment: a condition that holds it is not written
 * again for every one.
 */
export function podTrouble(pod: AnyObject): string | undefined {
  const scheduled = condition(pod, 'PodScheduled');
  if (scheduled?.status === 'False') return sentence(scheduled.reason || 'Unschedulable', scheduled.message);
  const statuses = ['initContainerStatuses', 'containerStatuses'].flatMap((field) => {
    const found = at(pod, ['status', field]);
    return Array.isArray(found) ? (found as readonly unknown[]) : [];
  });
  for (const status of statuses) {
    const found = at(status, ['ready']) === true ? undefined : containerTrouble(status);
    if (found !== undefined) return `container ${String(at(status, ['name']))}: ${found}`;
  }
  return undefined;
}

function containerTrouble(status: unknown): string | undefined {
  const [reason, message] = ['reason', 'message'].map((field) => at(status, ['state', 'waiting', field]));
  if (!usual.has(reason)) return pullTrouble(message) ?? sentence(String(reason), message);
  const code = at(status, ['state', 'terminated', 'exitCode']) ?? at(status, ['lastState', 'terminated', 'exitCode']);
  return typeof code === 'number' && code !== 0 ? `ended with exit code ${code}` : undefined;
}

/** A back-off repeats the error that it waits after: `Back-off pulling image "x": ErrImagePull: not found`. */
function pullTrouble(message: unknown): string | undefined {
  const at = typeof message === 'string' ? message.indexOf('ErrImagePull: ') : -1;
  return at >= 0 ? String(message).slice(at) : undefined;
}

function sentence(reason: string, message: unknown): string {
  return typeof message === 'string' && message !== '' ? `${reason}: ${message}` : reason;
}
