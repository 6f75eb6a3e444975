import type { Decision } from '../../../control/decision.ts';
import { idle, refTo } from '../../../control/decision.ts';
import { removeFinalizer } from '../../../control/finalizers.ts';
import { finalizers } from '../../keys.ts';
import type { AppWorkloadView } from '../../observe/app-workload-view.ts';
import { unheardMs } from '../../observe/asked.ts';
import { conclude } from '../conclude.ts';

/** A workload that is deleted goes after its StatefulSets: nothing else knows of them. */
export function ending({ workload, statefulSets, unheard, now }: AppWorkloadView): Decision {
  if (statefulSets.length === 0) {
    const release = removeFinalizer(workload, finalizers.workload);
    return release ? { actions: [release], because: 'nothing of it is left' } : idle('others hold it back');
  }
  const left = statefulSets.reduce((sum, { status }) => sum + (status?.replicas ?? 0), 0);
  const names = statefulSets.map(({ metadata }) => metadata.name).join(', ');
  return conclude(workload, now, {
    status: { ...workload.status, actualInstances: left, instancesStatus: {} },
    readiness: { ready: false, reason: 'StillRunning', message: `StatefulSet ${names} is being deleted` },
    effects: statefulSets
      .filter(({ metadata }) => !metadata.deletionTimestamp)
      .map((set) => {
        const { resourceVersion: _any, ...of } = refTo(set);
        return { do: 'delete', of };
      }),
    because: `${names} goes first`,
    ...(unheard && { wakeAt: now + unheardMs }),
  });
}
