import { type Action, refTo } from '../../control/decision.ts';
import { annotations } from '../keys.ts';
import type { InstanceStatus } from '../resources/instance.ts';
import { isOwnedBy } from './task/pipe-pod-state.ts';
import type { InstanceView } from './view.ts';

/**
 * Takes away pods of Pipe tasks that came when their plan was over, by a request that was long on its way. Those of a plan that failed
 * or was called off stay: somebody may want to look into them, and the next execution replaces them.
 */
export function leftOverPods(
  { history = [] }: InstanceStatus,
  { instance, belongings }: Pick<InstanceView, 'instance' | 'belongings'>,
): readonly Action[] {
  const { uid = '' } = instance.metadata;
  if (history[0]?.outcome !== 'COMPLETE') return [];
  return belongings.workloads
    .filter(({ kind, metadata }) => kind === 'Pod' && metadata.annotations?.[annotations.pipePod] === 'true')
    .filter((pod) => pod.metadata.deletionTimestamp === undefined && isOwnedBy(pod, { instance: { uid } }))
    .map((pod) => {
      // Whatever its version: its status changes all the time.
      const { resourceVersion: _version, ...of } = refTo(pod);
      return { do: 'delete', of };
    });
}
