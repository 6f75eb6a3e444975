import type { KubeObject } from '../../kube/object.ts';
import { qualifiedName, type ResourceType } from '../../kube/resource-type.ts';
import { namespaceFinalizer } from '../kinds/namespace.ts';
import type { Namespace } from '../kinds/objects/cluster.ts';
import type { Condition } from '../kinds/objects/condition.ts';
import type { Pod } from '../kinds/objects/pod.ts';
import { namespaces, pods } from '../kinds/resource-types.ts';
import { timestamp } from '../timestamp.ts';
import type { World } from '../world.ts';
import { withCondition } from './condition.ts';
import { type Controller, itself } from './loop.ts';
import { writeStatus } from './write-status.ts';

/** How often a namespace is looked at whose content does not go. */
const patience = 1000;

/** Empties namespaces that are to be deleted, says what still keeps them, and lets them go when they are empty. */
export function namespaceController(world: World): Controller {
  return {
    name: 'namespace',
    sources: [itself(namespaces)],
    async reconcile({ name }) {
      const namespace = world.get<Namespace>(namespaces, undefined, name);
      if (!namespace?.metadata.deletionTimestamp) return undefined;
      if (!namespace.spec?.finalizers?.includes(namespaceFinalizer)) return undefined;
      for (const [type, object] of contentOf(world, name)) {
        if (!object.metadata.deletionTimestamp) await world.remove(type, object, { propagation: 'Background' });
      }
      const left = contentOf(world, name);
      const marked = await writeStatus(world, namespaces, namespace, {
        phase: 'Terminating',
        conditions: conditionsFor(namespace, left, world.clock.now()),
      });
      if (left.length > 0) return graceOf(left, world.clock.now());
      const finalizers = (marked.spec?.finalizers ?? []).filter((one) => one !== namespaceFinalizer);
      await world.update(namespaces, { ...marked, spec: { ...marked.spec, finalizers } });
      return undefined;
    },
  };
}

function contentOf(world: World, namespace: string): readonly (readonly [ResourceType, KubeObject])[] {
  const seen = new Set<string | undefined>();
  const content: (readonly [ResourceType, KubeObject])[] = [];
  for (const type of world.types().filter((one) => one.namespaced)) {
    for (const object of world.list(type, { namespace })) {
      // One object may be served under several groups or versions.
      if (seen.has(object.metadata.uid)) continue;
      seen.add(object.metadata.uid);
      content.push([type, object]);
    }
  }
  return content;
}

/** Pods need their grace; everything else is looked at again soon, then with patience. */
function graceOf(left: readonly (readonly [ResourceType, KubeObject])[], now: number): number {
  const ends = left
    .filter(([type]) => type === pods || type.kind === 'Pod')
    .map(([, pod]) => Date.parse((pod as Pod).metadata.deletionTimestamp ?? '') - now)
    .filter((ms) => ms > 0);
  return Math.max(100, Math.min(patience, ...ends));
}

function conditionsFor(
  namespace: Namespace,
  left: readonly (readonly [ResourceType, KubeObject])[],
  now: number,
): readonly Condition[] {
  const byType = new Map<string, number>();
  const byFinalizer = new Map<string, number>();
  for (const [type, object] of left) {
    const key = `${qualifiedName(type)}${type.group === '' ? '.' : ''}`;
    byType.set(key, (byType.get(key) ?? 0) + 1);
    for (const one of object.metadata.finalizers ?? []) byFinalizer.set(one, (byFinalizer.get(one) ?? 0) + 1);
  }
  const list = (counts: ReadonlyMap<string, number>, say: (key: string, count: number) => string): string =>
    [...counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, count]) => say(key, count))
      .join(', ');
  const remaining = list(byType, (key, count) => `${key} has ${count} resource instances`);
  const held = list(byFinalizer, (key, count) => `${key} in ${count} resource instances`);
  const rows: readonly (readonly [string, boolean, string, string])[] = [
    ['NamespaceDeletionDiscoveryFailure', false, 'ResourcesDiscovered', 'All resources successfully discovered'],
    [
      'NamespaceDeletionGroupVersionParsingFailure',
      false,
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ],
    [
      'NamespaceDeletionContentFailure',
      false,
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ],
    remaining
      ? ['NamespaceContentRemaining', true, 'SomeResourcesRemain', `Some resources are remaining: ${remaining}`]
      : ['NamespaceContentRemaining', false, 'ContentRemoved', 'All content successfully removed'],
    held
      ? [
          'NamespaceFinalizersRemaining',
          true,
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${held}`,
        ]
      : ['NamespaceFinalizersRemaining', false, 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
  ];
  return rows.reduce<readonly Condition[]>(
    (conditions, [type, value, reason, message]) =>
      withCondition(conditions, {
        type,
        status: value ? 'True' : 'False',
        reason,
        message,
        lastTransitionTime: timestamp(now),
      }),
    namespace.status?.conditions ?? [],
  );
}
