import type { KubeObject } from '../../kube/object.ts';
import { groupOf, workloadOf } from '../graph/workload.ts';
import { heritage, labels } from '../keys.ts';
import type { Place } from './place.ts';
import { type Fields, isFields, replacedAt } from './replaced-at.ts';

/**
 * An object with the labels of its Instance: on itself, on the pods it makes and on their volume claims. They win over
 * labels of the same name; all others stay. They never change, so they never restart a pod.
 */
export function labelled<T extends KubeObject>(object: T, place: Place): T {
  const ours = {
    [labels.heritage]: heritage,
    [labels.operator]: place.operatorVersion.spec.operator?.name ?? '',
    [labels.instance]: place.instance.name,
  };
  const add = (found: Fields): Fields => ({ ...found, ...ours });
  const itself = replacedAt(object, ['metadata', 'labels'], add);
  const workload = workloadOf(object);
  if (workload === undefined || workload.path.length === 0 || workload.podSpec === undefined) return itself;
  const pods = replacedAt(itself, [...workload.path, 'metadata', 'labels'], add);
  const isStateful = object.kind === 'StatefulSet' && groupOf(object.apiVersion) === 'apps';
  return isStateful ? withClaims(pods, add) : pods;
}

function withClaims<T extends KubeObject>(object: T, add: (found: Fields) => Fields): T {
  const { spec } = object as { readonly spec?: unknown };
  if (!isFields(spec) || !Array.isArray(spec.volumeClaimTemplates)) return object;
  const claims = spec.volumeClaimTemplates.map((claim: unknown) =>
    isFields(claim) ? replacedAt(claim, ['metadata', 'labels'], add) : claim,
  );
  return { ...object, spec: { ...spec, volumeClaimTemplates: claims } };
}
