import type { AnyObject, KubeObject } from '../../../kube/object.ts';
import type { Plan } from '../../../portrait/plan.ts';
import { at } from '../../graph/workload.ts';
import { counted } from '../wording.ts';

export type Serves = Plan['availability']['serves'];

/** What restarting the pods of a workload costs those who use it. */
export interface Cost {
  readonly serves: Serves;
  readonly sentence: string;
  /** Pods that there are besides while it rolls. */
  readonly surge: number;
}

/** How a workload rolls, by the strategy that it has. `pods`: how many there are. */
export function costOf(object: KubeObject | AnyObject, pods: number): Cost {
  const { kind, metadata } = object;
  const title = `${kind} ${metadata.name ?? ''}`;
  if (pods === 0) return { serves: 'throughout', sentence: `${title} has no pods`, surge: 0 };
  if (kind === 'Deployment') return deployment(object, title, pods);
  if (pods === 1) return interrupted(`the only pod of ${title} stops before its successor is there`);
  const where = kind === 'DaemonSet' ? 'one node after the other' : 'one after the other';
  return { serves: 'reduced', sentence: `${counted(pods, 'pod')} of ${title} restart ${where}`, surge: 0 };
}

function deployment(object: KubeObject, title: string, pods: number): Cost {
  if (at(object, ['spec', 'strategy', 'type']) === 'Recreate') {
    return interrupted(`all pods of ${title} stop before new ones start (strategy Recreate)`);
  }
  const rolling = at(object, ['spec', 'strategy', 'rollingUpdate']);
  const surge = share(at(rolling, ['maxSurge']), pods, Math.ceil);
  const fewer = share(at(rolling, ['maxUnavailable']), pods, Math.floor);
  // Kubernetes does the same where both come to nothing.
  const missing = surge === 0 && fewer === 0 ? 1 : fewer;
  if (missing >= pods) return interrupted(`all ${counted(pods, 'pod')} of ${title} may be away at once`);
  const sentence = `${counted(pods, 'pod')} of ${title} ${pods === 1 ? 'is' : 'are'} replaced, ${missing === 0 ? 'new ones first' : `at most ${missing} away at a time`}`;
  return { serves: missing === 0 ? 'throughout' : 'reduced', sentence, surge };
}

function interrupted(sentence: string): Cost {
  return { serves: 'interrupted', sentence, surge: 0 };
}

/** An amount or a share of pods, as Deployments have it: a quarter where nothing is said. */
function share(value: unknown, pods: number, round: (value: number) => number): number {
  if (typeof value === 'number' && Number.isFinite(value)) return Math.max(0, value);
  const percent = typeof value === 'string' ? Number.parseFloat(value) : 25;
  return Number.isFinite(percent) ? Math.max(0, round((pods * percent) / 100)) : 0;
}

const order: readonly Serves[] = ['throughout', 'reduced', 'unknown', 'interrupted'];

/** The worse of two. */
export function worse(one: Serves, other: Serves): Serves {
  return order.indexOf(one) >= order.indexOf(other) ? one : other;
}
