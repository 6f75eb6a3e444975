import { annotations } from '../../src/control/annotations.ts';
import type { AnyObject, OwnerReference } from '../../src/kube/object.ts';
import type { Lamp } from './resource.ts';

export const transitionLabel = 'toy.cutover.dev/transition';
export const batchLabel = 'toy.cutover.dev/batch';
export const ordinalLabel = 'toy.cutover.dev/ordinal';

/** What the bulbs of a lamp go by. */
export function plan(lamp: Lamp, batch: string): AnyObject {
  const { name, namespace } = lamp.metadata;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `${name}-plan`, ...(namespace && { namespace }), ownerReferences: [ownerOf(lamp)] },
    data: {
      image: lamp.spec.image,
      batch,
      ...(lamp.spec.brightness !== undefined && { brightness: String(lamp.spec.brightness) }),
    },
  };
}

/** One bulb. Its name says which transition made it, so that no two transitions ever want the same name. */
export function bulb(lamp: Lamp, transition: string, batch: string, ordinal: number): AnyObject {
  const { name, namespace } = lamp.metadata;
  const attempt = transition.slice(transition.lastIndexOf('-') + 1);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${name}-${attempt}-${ordinal}`,
      ...(namespace && { namespace }),
      labels: { [transitionLabel]: transition, [batchLabel]: batch, [ordinalLabel]: String(ordinal) },
      annotations: { [annotations.id]: `${transition}-${ordinal}` },
      ownerReferences: [ownerOf(lamp)],
    },
    spec: { containers: [{ name: 'bulb', image: lamp.spec.image }] },
  };
}

function ownerOf(lamp: Lamp): OwnerReference {
  const { name = '', uid = '' } = lamp.metadata;
  return { apiVersion: lamp.apiVersion, kind: lamp.kind, name, uid, controller: true };
}
