import type { Action, Decision } from '../../src/control/decision.ts';
import type { BlueGreenView } from '../../src/flink/blue-green-view.ts';
import type { OperatorConfig } from '../../src/flink/config/operator-config.ts';
import type { FlinkBlueGreenDeploymentStatus } from '../../src/flink/resources/flink-blue-green-deployment.ts';
import { renamed } from './text.ts';
import { viewOf } from './world/observed.ts';
import type { Cluster } from './world/world.ts';

export type Decide = (view: BlueGreenView) => Decision;
type Status = FlinkBlueGreenDeploymentStatus;

/** What is decided on what is known of the cluster; `undefined` when the resource is not. */
export type Decider = (seen: Cluster, now: number) => Decision | undefined;

/**
 * A decision that was made before is not made again: views that differ only in how objects are called and what time it is
 * give decisions that differ only in that.
 *
 * What is written for people alone (history, sentences, when something began) is left out of what is stored: it would make
 * worlds look different that behave the same.
 */
export function remembering(decide: Decide, operator: OperatorConfig = { settings: {}, logFiles: {} }): Decider {
  const made = new Map<string, string>();
  return (seen, now) => {
    const { resource, sides, ingresses, snapshots } = seen;
    if (!resource) return undefined;
    const parts = [resource, sides.BLUE?.object, sides.GREEN?.object, ingresses.active, ingresses.preview, snapshots];
    const names = renamed(parts, now);
    const known = made.get(names.text);
    if (known !== undefined) return revived(names.back(known), now);
    const decision = decided(decide, viewOf(seen, now, operator) as BlueGreenView);
    made.set(names.text, names.forth(decision));
    return revived(decision, now);
  };
}

function decided(decide: Decide, view: BlueGreenView): string {
  const { actions, because, wakeAt } = decide(view);
  return JSON.stringify({
    because,
    actions: actions.filter((action) => action.do !== 'event').map(plain),
    ...(wakeAt !== undefined && { wakeAfter: wakeAt - view.now }),
  });
}

function revived(text: string, now: number): Decision {
  const { wakeAfter, ...decision } = JSON.parse(text) as Decision & { readonly wakeAfter?: number };
  return wakeAfter === undefined ? decision : { ...decision, wakeAt: now + wakeAfter };
}

const never = '1970-01-01T00:00:00.000Z';

function plain(action: Action): Action {
  return action.do === 'status' ? { ...action, status: plainStatus(action.status as Status) as never } : action;
}

/** Without what only people read. Fields that must be there are there, and always say the same. */
function plainStatus(status: Status): Status {
  const { history: _, lastReconciledTimestamp: __, ...rest } = status;
  const { transition, aborted, serving, conditions, error, lastSavepoint } = rest;
  return {
    ...rest,
    ...(error !== undefined && { error: 'something is wrong' }),
    ...(serving && { serving: { ...serving, since: never } }),
    ...(aborted && { aborted: { ...aborted, at: never, reason: 'said' } }),
    ...(lastSavepoint && { lastSavepoint: { ...lastSavepoint, at: never } }),
    ...(transition && { transition: plainTransition(transition) }),
    ...(conditions && {
      conditions: conditions.map(({ type, status: is, reason }) => ({
        type,
        status: is,
        reason,
        message: 'said',
        lastTransitionTime: never,
      })),
    }),
  };
}

function plainTransition(transition: NonNullable<Status['transition']>): NonNullable<Status['transition']> {
  const { steps: _, savepointError, savepoint, retire, ...rest } = transition;
  return {
    ...rest,
    because: 'said',
    generation: 0,
    startedAt: never,
    ...(savepointError !== undefined && { savepointError: 'it failed' }),
    ...(savepoint && { savepoint: { ...savepoint, askedAt: never } }),
    ...(retire && { retire: { ...retire, askedAt: never } }),
  };
}
