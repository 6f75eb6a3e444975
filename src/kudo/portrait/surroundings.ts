import { kinds } from '../../kube/kinds.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import type { Around } from '../../portrait/workload.ts';
import { groupOf } from '../graph/workload.ts';
import { labels } from '../keys.ts';
import { instance } from '../resources/instance.ts';
import { operatorVersion } from '../resources/operator-version.ts';

/**
 * What a portrait looks at, in the order in which it is shown. No ConfigMaps: a cluster has far too many to keep them all for
 * the few words that could be said of them.
 */
export const besideKinds: readonly ResourceType[] = [
  kinds.statefulSets,
  kinds.deployments,
  kinds.daemonSets,
  kinds.jobs,
  instance.type,
  kinds.services,
  kinds.replicaSets,
  kinds.pods,
  operatorVersion.type,
];

/** Everything of a namespace that may belong to an Instance, once it has been put in order. */
export interface Nearby {
  /** An object by what `status.objects` says of it. `unseen`: nobody has looked. */
  find(ref: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
  }): AnyObject | 'gone' | 'unseen';
  /** What an object owns, by its uid. */
  ownedBy(uid: string | undefined): readonly AnyObject[];
  /** Pods with the label of an Instance. */
  labelled(name: string): readonly AnyObject[];
}

export function nearby(around: Around): Nearby {
  const lists = besideKinds.map((type) => ({ type, objects: around.list(type) }));
  const owned = new Map<string, AnyObject[]>();
  for (const { objects = [] } of lists) {
    for (const object of objects) {
      for (const { uid } of object.metadata.ownerReferences ?? []) {
        const known = owned.get(uid);
        if (known) known.push(object);
        else owned.set(uid, [object]);
      }
    }
  }
  return {
    find({ apiVersion, kind, name }) {
      const list = lists.find(({ type }) => type.kind === kind && type.group === groupOf(apiVersion));
      if (!list?.objects) return 'unseen';
      return list.objects.find(({ metadata }) => metadata.name === name) ?? 'gone';
    },
    ownedBy: (uid) => (uid ? (owned.get(uid) ?? []) : []),
    labelled: (name) =>
      (around.list(kinds.pods) ?? []).filter(({ metadata }) => metadata.labels?.[labels.instance] === name),
  };
}
