import type { SnapshotView } from '../../view.ts';
import { type SnapshotStep, stalled } from './snapshot-step.ts';
import { kindOf } from './trigger.ts';

/** COMPLETED and ABANDONED: nothing more happens. */
export function settled({ resource }: SnapshotView, state: 'COMPLETED' | 'ABANDONED'): SnapshotStep {
  const { status = {} } = resource;
  const what = kindOf(resource);
  if (state === 'ABANDONED') {
    const because = `the ${what} was abandoned: ${status.error ?? 'its job did not run'}`;
    return { status, effects: [], because, standing: stalled('Abandoned', because) };
  }
  const because = `the ${what} is complete${status.path ? `: ${status.path}` : ''}`;
  return { status, effects: [], because, standing: { is: 'ready', reason: 'Completed', message: because } };
}
