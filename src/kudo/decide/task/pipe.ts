import type { Instant } from '../../../clock/clock.ts';
import { type Action, type CallAction, refTo, type Sealable } from '../../../control/decision.ts';
import type { AnyObject, KubeObject } from '../../../kube/object.ts';
import { annotations, planManager } from '../../keys.ts';
import { enhance } from '../../render/enhance.ts';
import { type Fields, replacedAt } from '../../render/replaced-at.ts';
import { refOf, thingId } from '../view.ts';
import { artifactsOf } from './pipe-artifacts.ts';
import { isOwnedBy, podState } from './pipe-pod-state.ts';
import type { Collection } from './pipe-work.ts';
import { taskPath } from './prepare.ts';
import { done, failed, type Surroundings, type TaskResult } from './run.ts';
import { send } from './send.ts';
import type { TaskFailure, TaskWork } from './work.ts';

type PipeTask = Extract<TaskWork, { does: 'pipe' }>;

/** So long what a call has written may take to be seen. After that somebody has deleted it. */
const unseenMs = 10_000;

/**
 * Runs a pod, has its files fetched, and deletes it.
 *
 * What counts is what is there: artifacts of this execution mean that only the pod has to go. Whatever was under way when a
 * process died is found and gone on with; files of one pod are fetched and written all together, so that artifacts that belong
 * together (a key and its certificate) are never of two pods.
 */
export function runPipe(task: PipeTask, around: Surroundings): TaskResult {
  const { place, pipe } = task;
  const ref = refOf(pipe.pod);
  const thing = around.world[thingId(ref)];
  if (thing?.is !== 'known') {
    const message = thing?.is === 'unreadable' ? thing.message : `Pod ${ref.name} could not be looked at`;
    return failed(transient(message), { unwatched: true });
  }
  const { object: live, watched } = thing;
  const unwatched = !watched;

  const artifacts = artifactsOf(pipe.artifacts, place, around);
  switch (artifacts.is) {
    case 'barred':
      return failed(artifacts.failure, { unwatched: true });
    case 'ending':
      return { is: 'working', actions: [], message: artifacts.message, unwatched: artifacts.unwatched };
    case 'adoptable':
      return sent(artifacts.action, around);
    case 'made': {
      const rest = { applied: artifacts.seen };
      // Once its end is certain, nobody has to wait for it: the next execution does.
      const stays = live && isOwnedBy(live, place) && live.metadata.deletionTimestamp === undefined;
      return stays ? { ...sent(removal(live), around), ...rest, unwatched } : done(rest);
    }
    case 'due':
      break;
  }

  const { object: wanted, complaint } = enhance(pipe.pod, place, around.restarting, {
    namespaced: true,
    dependencies: () => undefined,
    ...(live && { live }),
  });
  if (complaint) return failed({ reason: complaint.reason, message: complaint.message, fatal: true });
  const state = podState(live, wanted, place);
  const rest = { applied: artifacts.seen, unwatched };
  if (!live || state.is === 'absent') {
    return { ...sent({ do: 'apply', object: wanted, manager: planManager }, around), ...rest };
  }
  switch (state.is) {
    case 'foreign':
      return failed(transient(`Pod ${ref.name} exists and does not belong to this Instance: delete it`), rest);
    case 'ending':
      return { is: 'working', actions: [], message: `pod ${ref.name} is being deleted`, ...rest };
    case 'outdated':
      return { ...sent(removal(live), around), ...rest };
    case 'broken': {
      const { actions } = sent(removal(live), around);
      return failed(transient(`pod ${ref.name} failed and is started again: ${state.why}`), { actions, ...rest });
    }
    case 'starting':
      return { is: 'working', actions: [], message: `pod ${ref.name} is not running yet: ${state.why}`, ...rest };
    case 'ready':
      return { ...collected(task, live, artifacts.wanted, around), applied: artifacts.seen };
  }
}

/** Has the files fetched. What the port refuses will be refused again: the plan has failed. */
function collected(task: PipeTask, pod: AnyObject, wanted: readonly KubeObject[], around: Surroundings): TaskResult {
  const call = collection(task, pod, wanted, around);
  const outcome = around.outcomes[call.id];
  if (outcome?.result === 'refused') {
    return failed({ reason: 'PipeTaskError', message: outcome.message, fatal: true });
  }
  if (outcome?.result !== 'done') return { ...sent(call, around), unwatched: true };
  const due: Instant = outcome.at + unseenMs;
  if (around.now < due) {
    return {
      is: 'working',
      actions: [],
      message: 'what was fetched has not been seen yet',
      unwatched: true,
      retryAt: due,
    };
  }
  // A call that is done is never made again, but another pod is another call.
  return sent(removal(pod), around);
}

function collection(
  { name, place, pipe }: PipeTask,
  pod: AnyObject,
  wanted: readonly KubeObject[],
  around: Surroundings,
): CallAction {
  const { namespace } = place.instance;
  const { name: podName = '', uid = '' } = pod.metadata;
  const from = (found: Fields): Fields => ({ ...found, [annotations.fromPod]: uid });
  const args: Collection = {
    pod: { namespace, name: podName, uid },
    files: pipe.artifacts.flatMap(({ path, as }, index) => {
      const object = wanted[index];
      return object ? [{ path, as, object: replacedAt(object, ['metadata', 'annotations'], from) }] : [];
    }),
  };
  const id = [around.restarting.executionUid, taskPath(name, place), uid].join('/');
  return { do: 'call', port: 'pipe', verb: 'collect', id, args: args as unknown as Sealable };
}

function removal(pod: AnyObject): Action {
  // Whatever its version: its status changes all the time.
  const { resourceVersion: _version, ...of } = refTo(pod);
  return { do: 'delete', of };
}

function sent(action: Action, around: Surroundings): TaskResult {
  const { actions, failure, retryAt } = send(action, around);
  const rest = { actions, ...(retryAt !== undefined && { retryAt }) };
  return failure ? failed(failure, rest) : { is: 'working', ...rest };
}

function transient(message: string): TaskFailure {
  return { reason: 'TaskExecutionError', message, fatal: false };
}
