import { scaled } from '../kinds/int-or-string.ts';
import type { Node } from '../kinds/objects/cluster.ts';
import type { Pod, Toleration } from '../kinds/objects/pod.ts';
import type { DaemonSet } from '../kinds/objects/workload.ts';
import { controllerRevisions, daemonSets, nodes, pods } from '../kinds/resource-types.ts';
import type { World } from '../world.ts';
import { claimed } from './adopt.ts';
import { forgetRevisions, revisionLabel, revisionsOf } from './controller-revisions.ts';
import { type Controller, controllerOf, itself, keyOf, type Source } from './loop.ts';
import { orphansOf } from './orphans-of.ts';
import { hasEnded, isAvailable, isReady, nextAvailable, podFrom } from './pods.ts';
import { recorder, type Tell } from './recorder.ts';
import { refusalOf } from './scheduling.ts';
import { writeStatus } from './write-status.ts';

/** Troubles of a node that its daemons put up with. */
const daemonTolerations: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
];

/** Keeps one pod of each DaemonSet on every node that takes it. */
export function daemonSetController(world: World): Controller {
  const tell = recorder(world, { component: 'daemonset-controller' });
  return {
    name: 'daemonset',
    sources: [
      itself(daemonSets),
      controllerOf(pods, 'DaemonSet'),
      controllerOf(controllerRevisions, 'DaemonSet'),
      orphansOf(world, pods, daemonSets),
      everySet(world),
    ],
    async reconcile({ namespace, name }) {
      const set = world.get<DaemonSet>(daemonSets, namespace, name);
      if (!set || set.metadata.deletionTimestamp) return undefined;
      const owned = await claimed<Pod>(world, pods, set, set.spec.selector);
      const revisions = await revisionsOf(world, set, set.status?.collisionCount ?? 0);
      const hash = revisions.update.metadata.labels?.['controller.kubernetes.io/hash'] ?? '';
      await settle(world, tell, set, owned, hash);
      const left = world.list<Pod>(pods, { namespace, owner: set.metadata.uid ?? '' });
      const stored = world.get<DaemonSet>(daemonSets, namespace, name);
      if (!stored) return undefined;
      await writeStatus(world, daemonSets, stored, statusOf(world, stored, left, hash));
      const inUse = new Set([revisions.update.metadata.name, ...revisionsInUse(revisions.all, left)]);
      await forgetRevisions(world, revisions.all, inUse, set.spec.revisionHistoryLimit ?? 10);
      return nextAvailable(left, set.spec.minReadySeconds ?? 0, world.clock.now());
    },
  };
}

const everySet = (world: World): Source => ({
  type: nodes,
  keys: () => world.list<DaemonSet>(daemonSets).map(keyOf),
});

function revisionsInUse(
  all: readonly { readonly metadata: Pod['metadata'] }[],
  left: readonly Pod[],
): readonly (string | undefined)[] {
  const hashes = new Set(left.map((pod) => pod.metadata.labels?.[revisionLabel]));
  return all
    .filter((one) => hashes.has(one.metadata.labels?.['controller.kubernetes.io/hash']))
    .map((one) => one.metadata.name);
}

/** The pod for one node. */
function podOn(set: DaemonSet, node: string, hash: string): Pod {
  const pod = podFrom(set.spec.template, set, { generateName: `${set.metadata.name}-` });
  const generation = set.metadata.annotations?.['deprecated.daemonset.template.generation'] ?? '1';
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: { ...pod.metadata.labels, [revisionLabel]: hash, 'pod-template-generation': generation },
    },
    spec: {
      ...pod.spec,
      tolerations: [...(pod.spec.tolerations ?? []), ...daemonTolerations],
      affinity: {
        ...pod.spec.affinity,
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }],
          },
        },
      },
    },
  };
}

/** The node that a pod is on, or is meant for. */
function nodeOf(pod: Pod): string | undefined {
  const terms = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return pod.spec.nodeName ?? terms?.[0]?.matchFields?.[0]?.values?.[0];
}

const takes = (set: DaemonSet, node: Node): boolean => {
  const { affinity, ...spec } = set.spec.template.spec;
  const tolerations = [...(spec.tolerations ?? []), ...daemonTolerations];
  const wish = { ...set, kind: 'Pod', spec: { ...spec, ...(affinity && { affinity }), tolerations, containers: [] } };
  return refusalOf(wish as unknown as Pod, node, []) === undefined;
};

async function settle(world: World, tell: Tell, set: DaemonSet, owned: readonly Pod[], hash: string): Promise<void> {
  const eligible = world.list<Node>(nodes).filter((node) => takes(set, node));
  const names = new Set(eligible.map((node) => node.metadata.name));
  const drop = async (pod: Pod): Promise<void> => {
    if (pod.metadata.deletionTimestamp) return;
    await world.remove(pods, pod);
    tell(set, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
  };
  for (const pod of owned) if (!names.has(nodeOf(pod)) || hasEnded(pod)) await drop(pod);
  for (const { metadata } of eligible) {
    const [first, ...more] = owned.filter((pod) => nodeOf(pod) === metadata.name && !hasEnded(pod));
    for (const pod of more) await drop(pod);
    if (first) continue;
    const pod = await world.create(pods, podOn(set, metadata.name ?? '', hash));
    tell(set, 'Normal', 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`);
  }
  if (set.spec.updateStrategy?.type !== 'RollingUpdate') return;
  const most = Math.max(1, scaled(set.spec.updateStrategy.rollingUpdate?.maxUnavailable ?? 1, eligible.length, 'up'));
  const here = owned.filter((pod) => names.has(nodeOf(pod)) && !hasEnded(pod));
  const serving = here.filter((pod) => isServing(world, set, pod));
  const old = here.filter((pod) => pod.metadata.labels?.[revisionLabel] !== hash && !pod.metadata.deletionTimestamp);
  for (const pod of old.filter((one) => !serving.includes(one))) await drop(pod);
  const budget = Math.max(0, most - (eligible.length - serving.length));
  for (const pod of old.filter((one) => serving.includes(one)).slice(0, budget)) await drop(pod);
}

const isServing = (world: World, set: DaemonSet, pod: Pod): boolean =>
  !pod.metadata.deletionTimestamp && isAvailable(pod, set.spec.minReadySeconds ?? 0, world.clock.now());

function statusOf(world: World, set: DaemonSet, left: readonly Pod[], hash: string): DaemonSet['status'] {
  const eligible = new Set(
    world
      .list<Node>(nodes)
      .filter((node) => takes(set, node))
      .map((node) => node.metadata.name),
  );
  const alive = left.filter((pod) => !pod.metadata.deletionTimestamp && !hasEnded(pod));
  const here = alive.filter((pod) => eligible.has(nodeOf(pod)));
  const available = here.filter((pod) => isServing(world, set, pod)).length;
  const updated = here.filter((pod) => pod.metadata.labels?.[revisionLabel] === hash).length;
  const lacking = eligible.size - available;
  return {
    currentNumberScheduled: here.length,
    numberMisscheduled: alive.length - here.length,
    desiredNumberScheduled: eligible.size,
    numberReady: here.filter(isReady).length,
    observedGeneration: set.metadata.generation ?? 0,
    ...(updated > 0 && { updatedNumberScheduled: updated }),
    ...(available > 0 && { numberAvailable: available }),
    ...(lacking > 0 && { numberUnavailable: lacking }),
  };
}
