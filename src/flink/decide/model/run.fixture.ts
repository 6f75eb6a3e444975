import type { Decision } from '../../../control/decision.ts';
import type { DeploymentView } from '../../view.ts';
import { decideDeployment } from '../deployment.ts';
import type { World } from './world.fixture.ts';

export interface RunOptions {
  /** The operator dies before its n-th action, counted from the start of the run, and comes back. */
  readonly dieBefore?: number;
  /** The run ends before its n-th action. */
  readonly stopBefore?: number;
  /** Called with every view and what was decided on it. */
  readonly onDecision?: (view: DeploymentView, decision: Decision) => void;
}

/** Nothing in the model takes longer than this, except what a decision wakes up for. */
const longestWait = 5;

/** Lets time pass until nothing more happens, or for so many seconds. Returns how many actions were carried out. */
export function run(world: World, seconds = 40, options: RunOptions = {}): number {
  const { dieBefore = Number.POSITIVE_INFINITY, stopBefore = Number.POSITIVE_INFINITY, onDecision } = options;
  let acted = 0;
  let quiet = 0;
  for (let second = 0; second < seconds; second++) {
    quiet += 1;
    for (let look = 0; look < 8 && !world.gone; look++) {
      const view = world.view();
      const decision = decideDeployment(view);
      onDecision?.(view, decision);
      if (decision.wakeAt !== undefined) quiet = 0;
      if (decision.actions.length === 0) break;
      quiet = 0;
      const left = acted < dieBefore ? dieBefore - acted : Number.POSITIVE_INFINITY;
      acted += world.act(decision, Math.min(left, stopBefore - acted));
      if (acted >= stopBefore) return acted;
    }
    if (quiet > longestWait) break;
    world.tick();
  }
  return acted;
}
