import type { Retained } from './checkpoints.ts';
import { type CountState, nothingCounted } from './counting.ts';
import type { FlinkWorld } from './flink-world.ts';
import type { JobGraph } from './job-graph.ts';
import { stateAt } from './snapshot-file.ts';
import type { Throwable } from './throwable.ts';

/** What a job begins with. */
export interface InitialState {
  readonly state: CountState;
  /** Undefined when it begins empty. */
  readonly from: Retained | undefined;
}

/**
 * What a job begins with in a new JobManager: the newest checkpoint that an earlier one had retained, else the
 * savepoint it was submitted with, else nothing. A savepoint path beside retained checkpoints is not even looked at.
 */
export function initialState(
  world: FlinkWorld,
  graph: JobGraph,
  recovered: Retained | undefined,
  own: { readonly countUid: string; readonly claims: boolean },
): InitialState | { readonly problem: Throwable } {
  const path = recovered ? recovered.path : graph.savepoint;
  if (path === undefined) return { state: recovered?.state ?? nothingCounted, from: recovered };
  const found = stateAt(world, path, own.countUid, graph.allowNonRestoredState);
  if ('problem' in found) return found;
  const { snapshot, state } = found;
  const owned = recovered?.owned ?? own.claims;
  return { state, from: { id: snapshot.id, path, isSavepoint: snapshot.isSavepoint, state, owned } };
}
