import { createHash } from 'node:crypto';
import type { KubeObject } from '../../../kube/object.ts';
import { annotations } from '../../keys.ts';
import { lastApplied } from '../last-applied.ts';
import { contentHash } from './content-hash.ts';
import { type Dependency, type DependencyReader, inOrder } from './dependency.ts';

/** What counts for an object that is absent or is not to count. */
const nothing = Buffer.alloc(16);

/**
 * The hash that KUDO 0.13 and later put on pod templates, to the byte: pods that it started carry it, and must not restart
 * only because somebody else computes it now. Nothing when there are no dependencies.
 */
export function dependenciesHash(mounted: readonly Dependency[], read: DependencyReader): string | undefined {
  if (mounted.length === 0) return undefined;
  const hash = createHash('md5');
  for (const dependency of mounted.toSorted(inOrder)) {
    const object = read(dependency);
    hash.update(object === undefined || isSkipped(object) ? nothing : contentOf(object));
  }
  return hash.digest('hex');
}

/** Whether its owner said that its content does not count. */
export function isSkipped(object: KubeObject): boolean {
  return object.metadata.annotations?.[annotations.skipHash] !== undefined;
}

/** By what was applied, not by what others made of it, wherever that is known. */
function contentOf(object: KubeObject): Buffer {
  const known = object.metadata.annotations?.[annotations.contentHash];
  if (known !== undefined && /^[0-9a-f]{32}$/.test(known)) return Buffer.from(known, 'hex');
  return Buffer.from(contentHash(lastApplied(object) ?? object), 'hex');
}
