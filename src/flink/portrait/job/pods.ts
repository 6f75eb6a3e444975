import { podPortrait } from '../../../portrait/of-pod.ts';
import type { PodPortrait } from '../../../portrait/portrait.ts';
import type { ClusterParts } from '../cluster-parts.ts';
import { type Maker, podReasons } from '../pod-reasons.ts';
import { sentence } from '../wording.ts';
import type { JobLook } from './job-look.ts';

const doings = {
  'first-deployment': undefined,
  'spec-change': 'Made for a changed specification',
  'savepoint-redeploy': 'Made for a redeploy from a savepoint',
  'stateless-redeploy': 'Made for a redeploy without state',
  rollback: 'Made for a rollback',
  recovery: 'Made to recover a lost cluster',
  unhealthy: 'Made because the job was unhealthy',
  'failed-job': 'Made because the job had failed',
  deletion: 'Made before its deletion',
} as const;

/** The pods of a cluster: each was made for some change, and goes with the next one that is not in place. */
export function podsOf({ status, transition, moment }: JobLook, parts: ClusterParts): readonly PodPortrait[] {
  const makers = [...(transition ? [transition] : []), ...(status.history ?? [])].map((change): Maker => {
    const doing = doings[change.cause];
    const { because, startedAt } = change;
    return {
      ...(doing !== undefined && { doing }),
      because,
      startedAt,
      ...('endedAt' in change && { endedAt: change.endedAt }),
    };
  });
  const will =
    moment === 'deleting'
      ? ['Goes with the resource, which is being deleted.']
      : transition && (transition.phase === 'suspending' || transition.phase === 'clearing')
        ? [`Will be removed: ${sentence(transition.because)}`]
        : [];
  return parts.pods.map((pod) => podPortrait(pod, { reasons: podReasons(pod, makers, will) }));
}
