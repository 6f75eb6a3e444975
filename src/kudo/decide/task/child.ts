import { isApplied, stamped } from '../../../control/actions/apply.ts';
import { healthOf } from '../../health/health-of.ts';
import { refusalOf } from '../../health/instance-health.ts';
import { planManager } from '../../keys.ts';
import { refOf, thingId } from '../view.ts';
import { isOwnedBy } from './pipe-pod-state.ts';
import { done, failed, type Surroundings, type TaskResult } from './run.ts';
import { send } from './send.ts';
import type { TaskWork } from './work.ts';

type ChildWork = Extract<TaskWork, { does: 'child' }>;

/**
 * Applies a child Instance and waits for its plan. A child whose plan failed fails its parent's; a child that will not take
 * its parameters keeps the parent trying, for its own version may be mended.
 */
export function runChild({ child, version, place }: ChildWork, around: Surroundings): TaskResult {
  const ref = refOf(child);
  const found = around.world[thingId(version)];
  if (found?.is === 'known' && !found.object) {
    const message = `the OperatorVersion ${version.name} is not installed: install the package that it belongs to`;
    return failed({ reason: 'CircularDependency', message, fatal: true });
  }
  const thing = around.world[thingId(ref)];
  if (thing?.is !== 'known') {
    const message = thing?.is === 'unreadable' ? thing.message : `Instance ${ref.name} could not be looked at`;
    return failed({ reason: 'TaskExecutionError', message, fatal: false }, { unwatched: true });
  }
  const { object: live } = thing;
  const applied = live ? [ref] : [];
  if (live?.metadata.deletionTimestamp !== undefined) {
    // One that is nobody's, or somebody else's, does not wake this Instance when it is gone.
    const unwatched = !isOwnedBy(live, place);
    return { is: 'working', actions: [], message: `Instance ${ref.name} is being deleted`, unwatched, applied };
  }
  // What somebody changed on the child itself is set back.
  if (!live || !isApplied(live, stamped(child))) {
    const { actions, failure, retryAt } = send({ do: 'apply', object: child, manager: planManager }, around);
    const rest = { actions, applied, ...(retryAt !== undefined && { retryAt }) };
    return failure ? failed(failure, rest) : { is: 'working', ...rest };
  }
  const refusal = refusalOf(live);
  if (refusal !== undefined) {
    return failed({ reason: 'TaskExecutionError', message: refusal, fatal: false }, { applied });
  }
  const health = healthOf(live);
  if (health.is === 'healthy') return done({ applied });
  if (health.is === 'waiting') return { is: 'working', actions: [], message: health.message, applied };
  return failed({ reason: 'FailedTerminalStateError', message: health.message, fatal: true }, { applied });
}
