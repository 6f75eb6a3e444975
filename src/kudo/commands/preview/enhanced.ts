import type { KubeObject } from '../../../kube/object.ts';
import { objectId } from '../../graph/ids.ts';
import { annotations } from '../../keys.ts';
import { type Enhanced, enhance } from '../../render/enhance.ts';
import { readingFirst } from '../../render/hash/reading-first.ts';
import type { Planned } from './planned.ts';
import type { Surroundings } from './surroundings.ts';

/** Stands for the execution that there would be. */
const execution = '00000000-0000-0000-0000-000000000000';

/** The object as the plan would apply it now: by the very function that plans use. */
export function enhanced(
  { object, place, beside }: Planned,
  { live, isNamespaced }: Surroundings,
  forced: boolean,
): Enhanced {
  const found = live?.get(objectId(object));
  return enhance(
    object,
    place,
    { executionUid: execution, ...(forced && { restartUID: execution }) },
    {
      ...(found && { live: found }),
      namespaced: isNamespaced(object),
      dependencies: readingFirst(beside, place, ({ kind, name }) =>
        live?.get(objectId({ apiVersion: 'v1', kind, metadata: { name } })),
      ),
    },
  );
}

/** Annotations that differ in every execution, or only say what was applied. */
const passing: readonly string[] = [
  annotations.planUid,
  annotations.lastApplied,
  annotations.contentHash,
  annotations.hashBaseline,
];

/** Without what is known only when a plan runs: its uid, the uid of an Instance that is not there yet, our own notes. */
export function forReading(object: KubeObject): KubeObject {
  const { annotations: all = {}, ownerReferences = [], ...metadata } = object.metadata;
  const kept = Object.entries(all).filter(([name]) => !passing.includes(name));
  const owners = ownerReferences.filter(({ uid }) => uid !== '');
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }),
      ...(owners.length > 0 && { ownerReferences: owners }),
    },
  };
}
