import type { KubeObject } from '../object.ts';
import { compareVersions } from './resource-version.ts';

/** Something we wrote and the watch has not shown yet. */
export type Overlay<T extends KubeObject> =
  /** The server answered with this object. */
  | { readonly type: 'written'; readonly object: T; readonly version: string; readonly epoch: number }
  /** The server answered that this object is gone. `version` is the last one known of it. */
  | { readonly type: 'deleted'; readonly object: T; readonly version: string; readonly epoch: number };

/** Whether the watch, having told everything up to `frontier`, has told of this write too. */
export function reached<T extends KubeObject>(overlay: Overlay<T>, frontier: string): boolean {
  if (overlay.type === 'deleted') return false;
  const order = compareVersions(frontier, overlay.version);
  return order !== undefined && order >= 0;
}

/** Whether an event about the overlaid object itself settles the overlay. */
export function settles<T extends KubeObject>(overlay: Overlay<T>, event: 'apply' | 'delete', object: T): boolean {
  const version = object.metadata.resourceVersion ?? '';
  if (overlay.type === 'written') return reached(overlay, version);
  const sameObject = object.metadata.uid === overlay.object.metadata.uid;
  if (sameObject) return event === 'delete';
  // A predecessor of the same name may still be on its way out; only a successor proves that ours is gone.
  const order = compareVersions(version, overlay.version);
  return order === undefined ? event === 'apply' : order > 0;
}

/**
 * Whether a whole new snapshot settles the overlay. One that was laid before the snapshot was asked for is settled, as
 * a snapshot is never older than its request; one laid meanwhile is judged by what the snapshot shows.
 */
export function settledBySnapshot<T extends KubeObject>(
  overlay: Overlay<T>,
  epoch: number,
  frontier: string,
  listed: T | undefined,
): boolean {
  if (overlay.epoch < epoch) return true;
  if (overlay.type === 'deleted') {
    // A snapshot from before the object was made does not list it either: that says nothing of its end.
    const order = compareVersions(frontier, overlay.version);
    return listed?.metadata.uid !== overlay.object.metadata.uid && (order === undefined || order >= 0);
  }
  return reached(overlay, frontier) || listed?.metadata.resourceVersion === overlay.version;
}
