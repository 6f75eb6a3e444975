import { type CountState, nothingCounted } from './counting.ts';
import type { FlinkWorld } from './flink-world.ts';
import { normalPath, schemeOf } from './storage.ts';
import { stateMissing, stateUnclaimed, type Throwable } from './throwable.ts';

/** What a checkpoint or savepoint holds: the state of a job under its operators' uids. */
export interface Snapshot {
  readonly jobId: string;
  readonly id: number;
  readonly isSavepoint: boolean;
  readonly sourceUid: string;
  readonly countUid: string;
  readonly state: CountState;
}

export const sourceUid = 'counter-source';

const metadataOf = (path: string): string => `${path.replace(/\/_metadata$/, '')}/_metadata`;

export function writeSnapshot(world: FlinkWorld, path: string, snapshot: Snapshot): void {
  world.unsettled.write(metadataOf(path), JSON.stringify(snapshot));
}

export function removeSnapshot(world: FlinkWorld, path: string): void {
  world.unsettled.remove(metadataOf(path));
}

/** The snapshot at a path, given as its folder or its `_metadata` file; undefined when there is none. */
export function readSnapshot(world: FlinkWorld, path: string): Snapshot | undefined {
  const text = world.storage.read(metadataOf(normalPath(path)));
  return text === undefined ? undefined : (JSON.parse(text) as Snapshot);
}

/** The state that a job finds at a path, or why it cannot use it. */
export function stateAt(
  world: FlinkWorld,
  path: string,
  countUid: string,
  allowNonRestoredState: boolean,
): { readonly snapshot: Snapshot; readonly state: CountState } | { readonly problem: Throwable } {
  const snapshot = readSnapshot(world, path);
  if (!snapshot) return { problem: stateMissing(path, schemeOf(path)) };
  if (snapshot.countUid === countUid) return { snapshot, state: snapshot.state };
  if (!allowNonRestoredState) return { problem: stateUnclaimed(path, snapshot.countUid) };
  // The source's offset is restored, what the unknown operator had counted is dropped.
  return { snapshot, state: { ...nothingCounted, offset: snapshot.state.offset } };
}
