import { isObject } from '../change/equal.ts';
import { annotations } from './keys.ts';
import type { AppWorkload, AppWorkloadSpec } from './resources/app-workload.ts';

/** What a revision consists of: all of a workload's spec but how many instances it has and how they are replaced. */
export type RevisionSnapshot = Omit<AppWorkloadSpec, 'instances' | 'rollout'>;

/** Snapshots by revision. */
export type KeptRevisions = Readonly<Record<string, RevisionSnapshot>>;

/** The snapshot that a workload has now. */
export function snapshotOf({ spec }: Pick<AppWorkload, 'spec'>): RevisionSnapshot {
  const { instances: _instances, rollout: _rollout, ...snapshot } = spec;
  return snapshot;
}

/** The revisions that a workload can return to byte for byte. What cannot be read is none: then a new snapshot is taken. */
export function keptRevisions({ metadata }: Pick<AppWorkload, 'metadata'>): KeptRevisions {
  const text = metadata.annotations?.[annotations.keptRevisions];
  if (text === undefined) return {};
  try {
    const kept: unknown = JSON.parse(text);
    if (!isObject(kept)) return {};
    const whole = Object.entries(kept).filter(([appRev, snapshot]) => isSnapshot(snapshot, appRev));
    return Object.fromEntries(whole) as KeptRevisions;
  } catch {
    return {};
  }
}

/** What the annotation holds; absent when nothing is kept. */
export function keptText(kept: KeptRevisions): string | undefined {
  return Object.keys(kept).length === 0 ? undefined : JSON.stringify(kept);
}

function isSnapshot(value: unknown, appRev: string): boolean {
  return (
    isObject(value) && value.version === appRev && typeof value.image === 'string' && typeof value.GUID === 'string'
  );
}
