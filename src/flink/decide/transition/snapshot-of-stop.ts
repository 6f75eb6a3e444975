import { instantOf } from '../instant-text.ts';
import { clusterOf, type JobCase } from '../job-case.ts';
import { snapshotSettings } from '../snapshots/settings.ts';
import { upgradeSnapshot } from '../snapshots/snapshot-object.ts';
import type { Status } from '../status.ts';
import type { Effect } from '../step.ts';
import type { Moving } from './advance.ts';

/** The FlinkStateSnapshot that records the savepoint of a stop, as long as it is not there. Its name is its identity. */
export function snapshotOfStop(c: Moving): readonly Effect[] {
  const { restore, startedAt } = c.status.transition;
  const session = clusterOf(c);
  if (restore.path === undefined || !tookSavepoint(c) || !session) return [];
  const settings = snapshotSettings(c.resource, session, c.view.operator);
  if (!settings.asResources || !c.snapshots.installed) return [];
  const object = upgradeSnapshot(c.resource, restore.path, instantOf(startedAt) ?? c.now, settings);
  const there = c.snapshots.items.some(({ metadata }) => metadata.name === object.metadata.name);
  return there ? [] : [{ do: 'create', object }];
}

/** Where snapshots are kept in the job's own status, as older versions did, the savepoint is recorded there. */
export function withSavepointOfStop(c: JobCase, status: Status, path: string): Status {
  const session = clusterOf(c);
  const settings = session && snapshotSettings(c.resource, session, c.view.operator);
  if (!settings || (settings.asResources && c.snapshots.installed)) return status;
  const lastSavepoint = {
    timeStamp: c.now,
    location: path,
    triggerType: 'UPGRADE',
    formatType: settings.savepointFormat,
  } as const;
  const before = status.jobStatus?.savepointInfo;
  const savepointHistory = [...(before?.savepointHistory ?? []), lastSavepoint];
  return {
    ...status,
    jobStatus: { ...status.jobStatus, savepointInfo: { ...before, lastSavepoint, savepointHistory } },
  };
}

/** The path is that of a savepoint we took, not of one that a user named or of a checkpoint. */
function tookSavepoint({ status }: Moving): boolean {
  const { stop, restore, cause } = status.transition;
  const stopped = stop.mode === 'savepoint' || (stop.mode === 'stateless' && stop.askedAt !== undefined);
  return stopped && restore.mode === 'savepoint' && cause !== 'savepoint-redeploy';
}
