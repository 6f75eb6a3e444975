import type { Decision } from '../../control/decision.ts';
import type { FlinkStateSnapshotStatus } from '../resources/flink-state-snapshot.ts';
import type { SnapshotView } from '../view.ts';
import { notAfter } from './set-back.ts';
import { deleting } from './snapshot/deleting.ts';
import { afterFailure } from './snapshot/ended.ts';
import { inProgress } from './snapshot/in-progress.ts';
import { putMetadata } from './snapshot/metadata.ts';
import { pending } from './snapshot/pending.ts';
import { settled } from './snapshot/settled.ts';
import { concludeSnapshot, type SnapshotStep } from './snapshot/snapshot-step.ts';
import { instant } from './snapshot/trigger.ts';

/**
 * What to do about a FlinkStateSnapshot.
 *
 * | state           | what happens                                                    | next                           |
 * | --------------- | --------------------------------------------------------------- | ------------------------------ |
 * | TRIGGER_PENDING | Flink is asked, under an id that is written first               | IN_PROGRESS                    |
 * |                 | it `alreadyExists`                                              | COMPLETED                      |
 * |                 | the job is gone, ended, suspended, or not up within a minute    | ABANDONED                      |
 * | IN_PROGRESS     | Flink says what became of it                                    | COMPLETED, FAILED              |
 * |                 | Flink forgot it, and has no newer one: asked anew               | IN_PROGRESS                    |
 * |                 | the job is gone or has ended                                    | ABANDONED                      |
 * | FAILED          | tried again after 10 s, 20 s … 10 min, unless above the limit   | as TRIGGER_PENDING             |
 * | COMPLETED       | nothing                                                         |                                |
 * | ABANDONED       | nothing                                                         |                                |
 * | any, deleted    | the savepoint is removed, if it should be and somebody can      | gone, within ten minutes       |
 */
export function decideSnapshot(view: SnapshotView): Decision {
  const { resource } = view;
  if (resource.metadata.deletionTimestamp) return deleting(view);
  const metadata = putMetadata(resource);
  if (metadata) return { actions: [metadata], because: 'its labels and finalizer say what it is' };
  return concludeSnapshot(view, stepOf(begunAnew(view)));
}

/** What came to lie in the future when the clock was set back begins anew. What is over stays as it was. */
function begunAnew(view: SnapshotView): SnapshotView {
  const { resource, now } = view;
  const { status } = resource;
  if (!status || status.state === 'COMPLETED' || status.state === 'ABANDONED') return view;
  return { ...view, resource: { ...resource, status: notAfter(now, status, 'triggerTimestamp', 'resultTimestamp') } };
}

/** When it was first seen to wait. Not when it was made: nobody may have been there then, or another operator. */
function waitingSince(status: FlinkStateSnapshotStatus | undefined): string | undefined {
  return status?.conditions?.find(({ type }) => type === 'Reconciling')?.lastTransitionTime;
}

function stepOf(view: SnapshotView): SnapshotStep {
  const { status } = view.resource;
  const state = status?.state;
  switch (state) {
    case undefined:
    case 'TRIGGER_PENDING':
      return pending(view, instant(status?.resultTimestamp ?? waitingSince(status), view.now));
    case 'IN_PROGRESS':
      return inProgress(view);
    case 'FAILED': {
      const waiting = afterFailure(view);
      return waiting.wakeAt !== undefined && view.now >= waiting.wakeAt ? pending(view, waiting.wakeAt) : waiting;
    }
    case 'COMPLETED':
    case 'ABANDONED':
      return settled(view, state);
  }
}
