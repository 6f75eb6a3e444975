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
 * Whether a whole new snapshot settles the overlay. A server that lags may give one from before the write even if it is asked
 * later: what counts is how far the snapshot goes, and only where versions do not tell, that it was asked for later.
 *
 * At which version something was deleted nobody says. So a deletion is settled by any snapshot that goes as far as the object was
 * known, and does not list it or was asked for later: it must not hide for ever what is there again.
 */
export function settledBySnapshot<T extends KubeObject>(
  overlay: Overlay<T>,
  epoch: number,
  frontier: string,
  listed: T | undefined,
): boolean {
  const isAskedLater = overlay.epoch < epoch;
  const order = compareVersions(frontier, overlay.version);
  if (overlay.type === 'deleted') {
    // A snapshot from before the object was made does not list it either: that says nothing of its end.
    const isUnlisted = listed?.metadata.uid !== overlay.object.metadata.uid;
    return (isAskedLater || isUnlisted) && (order === undefined || order >= 0);
  }
  if (listed?.metadata.resourceVersion === overlay.version) return true;
  return order === undefined ? isAskedLater : order >= 0;
}
