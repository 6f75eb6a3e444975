import type { SnapshotView } from '../../view.ts';
import { follow } from '../snapshots/follow.ts';
import { abandoned, completed, failed } from './ended.ts';
import { reconciling, type SnapshotStep } from './snapshot-step.ts';
import { targetOf } from './target.ts';
import { instant, kindOf, sent, trigger } from './trigger.ts';

/** How long a job that stopped answering is waited for. A job that runs is waited for as long as Flink itself waits. */
const patienceMs = 600_000;

/** IN_PROGRESS: Flink was asked for it, and its answer is awaited. */
export function inProgress(view: SnapshotView): SnapshotStep {
  const { resource, now } = view;
  const { triggerId: id, triggerTimestamp, ...status } = resource.status ?? {};
  const at = instant(triggerTimestamp, now);
  const followed = id ? follow({ id, of: kindOf(resource), at }, view) : ({ is: 'lost', had: true } as const);
  if (followed.is === 'done') return completed(view, followed.path);
  if (followed.is === 'failed') return failed(view, followed.message);

  const target = targetOf(view);
  if (target.is === 'not running') return abandoned(view, target.because);
  if (target.is === 'unsettled' && now >= at + patienceMs) return abandoned(view, target.because);
  if (target.is === 'running' && followed.is === 'lost' && followed.had) return trigger(view, target.jobId);

  const because =
    target.is === 'unsettled'
      ? target.because
      : followed.is === 'waiting'
        ? followed.because
        : followed.is === 'lost'
          ? `Flink does not know of the request for a ${kindOf(resource)}: it is sent again`
          : 'Flink did not answer: it is asked again';
  const wakeAt = target.is === 'unsettled' ? at + patienceMs : followed.is === 'waiting' ? followed.wakeAt : undefined;
  const again = followed.is === 'unsent' || followed.is === 'lost';
  return {
    status: resource.status ?? status,
    effects: target.is === 'running' && again && id ? sent(view, id, target.jobId) : [],
    because,
    ...(wakeAt !== undefined && { wakeAt }),
    standing: reconciling('InProgress', because),
  };
}
