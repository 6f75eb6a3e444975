import { equal } from '../../../change/equal.ts';
import { type Standing, stand } from '../../../control/conditions.ts';
import { type Action, type Decision, refTo } from '../../../control/decision.ts';
import type { FlinkStateSnapshotStatus } from '../../resources/flink-state-snapshot.ts';
import type { SnapshotView } from '../../view.ts';
import type { Step } from '../step.ts';

/** What one rule about a FlinkStateSnapshot concludes. */
export interface SnapshotStep extends Step<FlinkStateSnapshotStatus> {
  readonly standing: Standing;
}

/** The decision that follows from a step: the journal first, if it differs, then the effects. */
export function concludeSnapshot({ resource, now }: SnapshotView, step: SnapshotStep): Decision {
  const generation = resource.metadata.generation ?? 1;
  const before = resource.status?.conditions ?? [];
  const status: FlinkStateSnapshotStatus = {
    ...step.status,
    observedGeneration: generation,
    conditions: [...stand(before, step.standing, generation, now)],
  };
  const actions: Action[] = [];
  if (!equal(status, resource.status)) actions.push({ do: 'status', of: refTo(resource), status });
  return {
    actions: [...actions, ...step.effects],
    because: step.because,
    ...(step.wakeAt !== undefined && { wakeAt: step.wakeAt }),
  };
}

/** On the way, and why it takes its time. */
export function reconciling(reason: Capitalize<string>, message: string): Standing {
  return { is: 'reconciling', serving: false, reason, message };
}

/** Nothing more comes of it unless a person acts. */
export function stalled(reason: Capitalize<string>, message: string): Standing {
  return { is: 'stalled', serving: false, reason, message };
}
