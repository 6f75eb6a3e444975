import { type PatchAction, refTo } from '../../../control/decision.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { PlaceMetadata } from '../../manifests/place-namespace.ts';

/**
 * Gives a namespace the labels and annotations that it must carry, and leaves all others: administrators add their own.
 * `undefined` when it has them.
 */
export function metadataPatch(namespace: KubeObject, wanted: PlaceMetadata): PatchAction | undefined {
  const { labels = {}, annotations = {} } = namespace.metadata;
  const patch = [
    ...changed('labels', labels, wanted.labels),
    ...changed('annotations', annotations, wanted.annotations),
  ];
  return patch.length === 0 ? undefined : { do: 'patch', of: refTo(namespace), patch };
}

function changed(
  field: 'labels' | 'annotations',
  present: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
): PatchAction['patch'] {
  const same = Object.entries(wanted).every(([key, value]) => present[key] === value);
  return same ? [] : [{ op: 'add', path: `/metadata/${field}`, value: { ...present, ...wanted } }];
}
